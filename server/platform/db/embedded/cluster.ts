import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Log } from '../../log.ts'
import { OperatorError } from '../../operator-error.ts'
import { type Engine, unsupportedMachine } from './engine.ts'
import type { DataFolder } from './ownership.ts'
import { run } from './run.ts'

/** The name of our role and of our database in the embedded server. */
export const NAME = 'parley'
const MAJOR_VERSION = '18'

/**
 * Creates the database cluster at `<data>/postgres` when there is none; returns its path.
 *
 * Text is UTF-8 and sorted by PostgreSQL's built-in C.UTF-8, not by the system's locale: an index never goes wrong
 * because the C library was upgraded or the folder moved to another machine, `lower()` still knows Vietnamese letters,
 * and prefix searches can use ordinary indexes. Throws OperatorError when another major version made the folder.
 */
export async function prepareCluster(
  { path, owner }: DataFolder,
  engine: Engine,
  password: string | undefined,
  log: Log,
): Promise<string> {
  const cluster = resolve(path, 'postgres')
  const version = await readFile(resolve(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (version?.trim() === MAJOR_VERSION) return cluster
  if (version) {
    throw new OperatorError(
      `The database in ${cluster} was created by PostgreSQL ${version.trim()}, but this version of Parley includes PostgreSQL ${MAJOR_VERSION}: start the Parley version that created it and move its contents, or choose another DATA_DIR.`,
    )
  }
  log.info('Creating the database')
  await clearUnfinished(path)
  const unfinished = resolve(path, `postgres.${randomBytes(4).toString('hex')}`)
  await mkdir(unfinished, { mode: 0o700 })
  if (owner) await chown(unfinished, owner.uid, owner.gid)
  await initialize(engine, unfinished, owner, password)
  await rename(unfinished, cluster)
  return cluster
}

/** Removes what an interrupted initialisation left behind. */
async function clearUnfinished(path: string): Promise<void> {
  for (const name of await readdir(path)) {
    if (/^postgres\.[0-9a-f]{8}(\.password)?$/.test(name)) await rm(resolve(path, name), { recursive: true })
  }
}

async function initialize(
  engine: Engine,
  folder: string,
  owner: DataFolder['owner'],
  password: string | undefined,
): Promise<void> {
  const secret = `${folder}.password`
  if (password) {
    await writeFile(secret, password, { mode: 0o600 })
    if (owner) await chown(secret, owner.uid, owner.gid)
    await chmod(secret, 0o600)
  }
  // Without a password the server listens only on a socket in a folder that nobody else may enter.
  const access = password ? ['--auth=scram-sha-256', `--pwfile=${secret}`] : ['--auth=trust']
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const args = [`--pgdata=${folder}`, `--username=${NAME}`, ...access, ...locale, '--text-search-config=simple']
  const child = run(engine.initdb, [...args, '--data-checksums', '--no-instructions'], owner, { cwd: folder })
  const errorOutput = child.stderr ? text(child.stderr) : Promise.resolve('')
  const [code] = await once(child, 'exit').catch((error) => {
    throw explainStartError(error)
  })
  await rm(secret, { force: true })
  if (code !== 0) throw new OperatorError(`PostgreSQL could not create its database in ${folder}: ${await errorOutput}`)
}

/** Explains why one of PostgreSQL's programs did not even start. */
export function explainStartError(error: NodeJS.ErrnoException): Error {
  // The program is there (we copied it), so what is missing is the C library it was built for.
  if (error.code === 'ENOENT') return unsupportedMachine('its C library is not glibc')
  if (error.code !== 'EPERM' && error.code !== 'EINVAL') return error
  return new OperatorError(
    'PostgreSQL does not run as root, and Parley may not switch to another user here: start Parley as an ordinary user, or set DATABASE_URL.',
  )
}
