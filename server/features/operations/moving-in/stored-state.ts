import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { MovingIn, ProductId } from '#contract/operations/moving-in.ts'
import type { Config } from '../../../config.ts'

/** What is known of the import of this installation, beside the file itself. */
export interface StoredState {
  product: ProductId
  /** The uploaded dump; null where an API is read. */
  file: { name: string; size: number } | null
  api: {
    address: string
    account: string | null
    /** Encrypted, in Base64; null once everything is moved. */
    token: string | null
  } | null
  /** What a process is doing; still there after the server itself was killed. */
  running: null | { state: 'checking' | 'moving'; is_committed: boolean }
  report: MovingIn['report']
  problem: MovingIn['problem']
  ended_at: MovingIn['ended_at']
}

const folderOf = ({ dataDir }: Config) => resolve(dataDir, 'imports', 'upload')
const stateFile = (config: Config) => resolve(folderOf(config), 'state.json')
/** Where imports keep what they read of an API, each in a folder of its own, so that a stopped one can go on. */
export const readingFolder = ({ dataDir }: Config) => resolve(dataDir, 'imports', 'reading')
/** The path of the uploaded dump. */
export const dumpFile = (config: Config) => resolve(folderOf(config), 'dump')

/** The stored state; undefined if there is no import. */
export async function readState(config: Config): Promise<StoredState | undefined> {
  const text = await readFile(stateFile(config), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const stored = JSON.parse(text) as StoredState
  // Earlier versions knew no API.
  return { ...stored, api: stored.api ?? null }
}

/** The last write of each server: they are done one after another. */
const writing = new WeakMap<Config, Promise<void>>()

/** Stores the state. It is complete or the old one, even after a power cut. */
export function writeState(config: Config, state: StoredState): Promise<void> {
  const text = JSON.stringify(state)
  const written = (writing.get(config) ?? Promise.resolve()).then(() => writeWhole(config, text))
  writing.set(
    config,
    written.catch(() => undefined),
  )
  return written
}

async function writeWhole(config: Config, text: string): Promise<void> {
  await mkdir(folderOf(config), { recursive: true, mode: 0o700 })
  const half = `${stateFile(config)}.part`
  await writeFile(half, text, { mode: 0o600, flush: true })
  await rename(half, stateFile(config))
}

/** Deletes the file and all that is known of it. */
export async function removeState(config: Config): Promise<void> {
  await rm(folderOf(config), { recursive: true, force: true })
}

/** When the last part of the dump arrived; without a dump, when the state was last stored. */
export async function lastChanged(config: Config): Promise<number> {
  const stats = await stat(dumpFile(config)).catch(() => stat(stateFile(config)))
  return stats.mtimeMs
}

/** Deletes what was read of APIs until this time, and not moved in since. */
export async function removeReadings(config: Config, until = Number.POSITIVE_INFINITY): Promise<void> {
  const folder = readingFolder(config)
  for (const name of await readdir(folder).catch(() => [])) {
    const path = resolve(folder, name)
    const files = await readdir(path).catch(() => [])
    const stats = await Promise.all(files.map((file) => stat(resolve(path, file)).catch(() => undefined)))
    if (stats.every((entry) => !entry || entry.mtimeMs < until)) await rm(path, { recursive: true, force: true })
  }
}

/** Number of bytes of the dump that have arrived. */
export async function receivedBytes(config: Config): Promise<number> {
  return stat(dumpFile(config)).then(
    ({ size }) => size,
    () => 0,
  )
}
