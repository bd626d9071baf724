import { randomBytes } from 'node:crypto'
import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from './config.ts'
import { prepareDataFolder } from './platform/db/embedded/ownership.ts'
import type { Log } from './platform/log.ts'
import { OperatorError } from './platform/operator-error.ts'

/**
 * Creates the data folder and returns the settings with the actual `dataDir`: root's embedded database cannot use every
 * folder (see prepareDataFolder), and all data should be in one place.
 */
export async function resolveDataFolder(config: Config, log: Log): Promise<Config> {
  if (config.databaseUrl) {
    await mkdir(config.dataDir, { recursive: true, mode: 0o711 }).catch((error: NodeJS.ErrnoException) => {
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

/**
 * SECRET_KEY, or else the key in `<data>/secret.key`, which is created on the first start. Several nodes share one key.
 */
export async function loadSecretKey({ secretKey, dataDir }: Config): Promise<string> {
  if (secretKey) return secretKey
  const file = resolve(dataDir, 'secret.key')
  const made = randomBytes(32).toString('hex')
  try {
    await writeFile(file, made, { mode: 0o600, flag: 'wx', flush: true })
    // As root the folder may belong to another account, which has to read the key if Parley is later started as that
    // account.
    const { uid, gid } = await stat(dataDir)
    if (process.getuid?.() === 0) await chown(file, uid, gid)
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const stored = (await readFile(file, 'utf8')).trim()
  if (stored.length >= 32) return stored
  throw new OperatorError(`The key in ${file} is incomplete: restore the old file, or delete it to create a new key.`)
}
