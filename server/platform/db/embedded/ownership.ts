import type { Stats } from 'node:fs'
import { chmod, chown, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import { makeFolder } from '../../make-folder.ts'
import { OperatorError } from '../../operator-error.ts'
import { fallbackFolder, fallbackFor } from './fallback.ts'

/** The unprivileged account that runs the database, because PostgreSQL refuses to run as root. */
export interface Owner {
  uid: number
  gid: number
  name: string
}

/** A data folder that exists and can be used; `owner` is set only when this process is root. */
export interface DataFolder {
  path: string
  owner?: Owner
  /** The requested folder, if the database's account could not reach it. */
  instead_of?: string
}

const NOBODY: Owner = { uid: 65534, gid: 65534, name: 'nobody' }

/**
 * Creates the data folder and finds who may use it. As root the database runs under another account; if that account
 * cannot reach `wanted` (a closed home folder), a folder under /var/lib/parley is used instead.
 * Throws OperatorError when neither can be used.
 */
export async function prepareDataFolder(requested: string): Promise<DataFolder> {
  const path = resolve(requested)
  if (process.getuid?.() !== 0) return prepareOwnFolder(path)
  const fallback = fallbackFor(path)
  // A database that already lives in the substitute folder stays there, even if `path` is reachable by now.
  const usesFallback = (await hasDatabase(fallback)) && !(await hasDatabase(path))
  const owner = await chooseOwner(path)
  if (!usesFallback && (await isReachable(path, owner))) {
    await makePassable(path, owner)
    return { path, owner }
  }
  const other = await chooseOwner(fallback)
  if (!(await isReachable(fallback, other))) {
    throw new OperatorError(
      `The database runs as "${other.name}", who can enter neither ${path} nor ${fallbackFolder}: set DATA_DIR to a folder that everyone may pass through, for example DATA_DIR=/srv/parley.`,
    )
  }
  await makePassable(fallback, other)
  return { path: fallback, owner: other, instead_of: path }
}

/**
 * The folder with the database for a requested data folder, which as root may be its substitute. Creates nothing.
 * @returns undefined if no server has created a database there
 * @throws OperatorError if this user may not look into the folder
 */
export async function findDatabaseFolder(requested: string): Promise<string | undefined> {
  const path = resolve(requested)
  const folders = process.getuid?.() === 0 ? [path, fallbackFor(path)] : [path]
  for (const folder of folders) if (await hasDatabase(folder)) return folder
  return undefined
}

async function prepareOwnFolder(path: string): Promise<DataFolder> {
  try {
    await makeFolder(path, 0o700)
    const { uid } = await stat(path)
    if (process.getuid && uid !== process.getuid()) throw Object.assign(new Error(), { code: 'EACCES' })
    return { path }
  } catch (error) {
    throw new OperatorError(
      `The data folder ${path} cannot be used (${(error as NodeJS.ErrnoException).code}): start Parley as the user who owns it, or set DATA_DIR to a folder of your own, for example DATA_DIR=$HOME/parley-data.`,
    )
  }
}

/** The owner of existing files, else the usual accounts of a Linux system. */
async function chooseOwner(path: string): Promise<Owner> {
  const accounts = await readAccounts()
  for (const folder of [resolve(path, 'postgres'), path]) {
    const stats = await statIfThere(folder)
    if (!stats || stats.uid === 0) continue
    return accounts.find(({ uid }) => uid === stats.uid) ?? { uid: stats.uid, gid: stats.gid, name: `uid ${stats.uid}` }
  }
  return accounts.find(({ name }) => name === 'postgres') ?? accounts.find(({ name }) => name === 'nobody') ?? NOBODY
}

async function readAccounts(): Promise<Owner[]> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length > 3)
    .map(([name, , uid, gid]) => ({ name: name ?? '', uid: Number(uid), gid: Number(gid) }))
}

/** Whether `owner` may pass through every folder down to `path`; what does not exist yet will be made passable. */
async function isReachable(path: string, owner: Owner): Promise<boolean> {
  for (const folder of ancestors(path)) {
    const stats = await statIfThere(folder)
    if (!stats) return true
    if (!stats.isDirectory())
      throw new OperatorError(
        `${folder} is no folder: set DATA_DIR to a folder of your own, for example DATA_DIR=/srv/parley.`,
      )
    if (mayEnter(stats, owner)) continue
    // An empty folder of root's at exactly this path may be given to the database's account (`mktemp -d`, a fresh
    // volume).
    return folder === path && stats.uid === 0 && (await readdir(path)).length === 0
  }
  return true
}

function mayEnter({ mode, uid, gid }: Stats, owner: Owner): boolean {
  if (uid === owner.uid) return (mode & 0o100) !== 0
  if (gid === owner.gid) return (mode & 0o010) !== 0
  return (mode & 0o001) !== 0
}

/** Creates `path` and missing parents regardless of the umask, and gives an empty or new folder to `owner`. */
async function makePassable(path: string, owner: Owner): Promise<void> {
  for (const folder of ancestors(path)) {
    if (await statIfThere(folder)) continue
    await makeFolder(folder).catch((error: NodeJS.ErrnoException) => {
      throw new OperatorError(
        `The data folder ${path} cannot be created (${error.code}): set DATA_DIR to a folder of your own, for example DATA_DIR=/srv/parley.`,
      )
    })
    await chmod(folder, 0o755)
  }
  if ((await readdir(path)).length > 0) return
  await chown(path, owner.uid, owner.gid)
  await chmod(path, 0o700)
}

function ancestors(path: string): string[] {
  const above = dirname(path)
  return above === path ? [path] : [...ancestors(above), path]
}

async function hasDatabase(path: string): Promise<boolean> {
  return stat(`${path}${sep}postgres${sep}PG_VERSION`).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EACCES') return false
      throw new OperatorError(`The data folder ${path} cannot be read (EACCES): use the same user as the server.`)
    },
  )
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined)
}
