import { randomBytes } from 'node:crypto'
import { chown, readFile, stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from './config.ts'
import { prepareDataFolder } from './platform/db/embedded/ownership.ts'
import type { Log } from './platform/log.ts'
import { makeFolder } from './platform/make-folder.ts'
import { OperatorError } from './platform/operator-error.ts'

/** The file in the data folder that contains the key, unless SECRET_KEY is set. */
export const KEY_FILE = 'secret.key'

/**
 * Creates the data folder and returns the settings with the actual `dataDir`: root's embedded database cannot use every
 * folder (see prepareDataFolder), and all data should be in one place.
 */
export async function resolveDataFolder(config: Config, log: Log): Promise<Config> {
  if (config.databaseUrl) {
    await makeFolder(resolve(config.dataDir), 0o711).catch((error: NodeJS.ErrnoException) => {
      throw new OperatorError(
        `The data folder ${config.dataDir} cannot be created (${error.code}): set DATA_DIR to a folder of your own.`,
      )
    })
    return config
  }
  const { path, owner, instead_of } = await prepareDataFolder(config.dataDir)
  if (instead_of) {
    log.warn(
      `The database runs as "${owner?.name}", who cannot enter ${instead_of}; everything is stored in ${path} instead`,
    )
  }
  return { ...config, dataDir: path }
}

/** SECRET_KEY, or else the key in `<data>/secret.key`; undefined if there is neither. Several servers share one key. */
export async function readSecretKey({ secretKey, dataDir }: Config): Promise<string | undefined> {
  if (secretKey) return secretKey
  const file = resolve(dataDir, KEY_FILE)
  const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new OperatorError(`The key in ${file} cannot be read (${error.code}): use the same user as the server.`)
  })
  if (stored === undefined || stored.trim().length >= 32) return stored?.trim()
  throw new OperatorError(`The key in ${file} is incomplete: restore the old file, or delete it to create a new key.`)
}

/** The key of the installation, which is created in the data folder if there is none. */
export async function loadSecretKey(config: Config): Promise<string> {
  const existing = await readSecretKey(config)
  if (existing) return existing
  const made = newSecretKey()
  try {
    await writeSecretKey(config.dataDir, KEY_FILE, made)
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  // Another server created it meanwhile, and may still be writing it.
  return (await readSecretKey(config))!
}

export function newSecretKey(): string {
  return randomBytes(32).toString('hex')
}

/** Writes a key into a new file of the data folder, for the folder's owner only. Throws EEXIST if the file exists. */
export async function writeSecretKey(dataDir: string, name: string, key: string): Promise<void> {
  const file = resolve(dataDir, name)
  await writeFile(file, key, { mode: 0o600, flag: 'wx', flush: true })
  // As root the folder may belong to another account, which has to read the key if Parley is later started as that
  // account.
  const { uid, gid } = await stat(dataDir)
  if (process.getuid?.() === 0) await chown(file, uid, gid)
}
