import { rm, stat } from 'node:fs/promises'
import type { MovingIn } from '#contract/operations/moving-in.ts'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../errors.ts'
import { type ImportEnd, ImportProcess } from './import-process.ts'
import { dumpFile, readState, receivedBytes, removeState, type StoredState, writeState } from './stored-state.ts'

interface Running {
  child: ImportProcess
  /** Resolves once its end is stored. */
  settled: Promise<void>
}

/** The process of each server; there is one at most. */
const processes = new WeakMap<Context, Running>()

const MB = 1_000_000
const BUSY = 'An import is running. Stop it first.'
const NO_FILE = 'Upload the whole file first.'

/** What the page shows. */
export async function describeMovingIn(context: Context, may_move: boolean): Promise<MovingIn> {
  const stored = may_move ? await readCurrent(context) : undefined
  const running = processes.get(context)
  const received = stored ? await receivedBytes(context.config) : 0
  const idle = !stored ? 'none' : received < stored.file.size && !stored.report ? 'uploading' : 'waiting'
  return {
    object: 'moving_in',
    may_move,
    max_bytes: context.config.movingInMb * MB,
    state: stored?.running?.state ?? idle,
    product: stored?.product ?? null,
    file: stored ? { ...stored.file, received } : null,
    progress: running?.child.progress ?? null,
    report: stored?.report ?? null,
    problem: stored?.problem ?? null,
    ended_at: stored?.ended_at ?? null,
  }
}

/** The stored state. A process that is stored as running but not ours ended together with its server. */
async function readCurrent(context: Context): Promise<StoredState | undefined> {
  // Before and after reading: a process of ours may start or end meanwhile.
  const isOurs = processes.has(context)
  const stored = await readState(context.config)
  if (!stored?.running || isOurs || processes.has(context)) return stored
  return storeEnd(context, stored, { killed: true }, false)
}

/**
 * The stored state, for a change that a running import would not survive.
 * @throws Refusal
 */
export async function readIdle(context: Context): Promise<StoredState | undefined> {
  const stored = await readCurrent(context)
  if (stored?.running) throw new Refusal(409, BUSY)
  return stored
}

/**
 * Starts a check or an import of the uploaded file in a process of its own.
 * @throws Refusal
 */
export async function startImport(context: Context, isDryRun: boolean): Promise<void> {
  const { config, database } = context
  const stored = await readIdle(context)
  if (!stored || (await receivedBytes(config)) < stored.file.size) throw new Refusal(409, NO_FILE)
  // Another request may have started one since it was read.
  if (processes.has(context)) throw new Refusal(409, BUSY)
  const { product } = stored
  const running = { state: isDryRun ? ('checking' as const) : ('moving' as const), is_committed: false }
  const state: StoredState = { ...stored, running, report: null, problem: null, ended_at: null }
  const wasChecked = !!stored.report?.is_dry_run
  const order = { config, database, product, path: dumpFile(config), isDryRun, wasChecked }
  const child = new ImportProcess(order, () => {
    running.is_committed = true
    void writeState(config, state).catch((error) => context.log.error({ err: error }, 'The import cannot be stored'))
  })
  const settled = child.ended
    .then(async (end) => void (await storeEnd(context, state, end, child.isStopped)))
    .catch((error) => context.log.error({ err: error }, 'The end of an import cannot be stored'))
    .finally(() => processes.delete(context))
  processes.set(context, { child, settled })
  await writeState(config, state)
}

/** Stops what runs, and waits for its end. */
export async function stopImport(context: Context): Promise<void> {
  const running = processes.get(context)
  running?.child.stop()
  await running?.settled
}

/**
 * Deletes the file and the report.
 * @throws Refusal if an import runs
 */
export async function removeImport(context: Context): Promise<void> {
  await readIdle(context)
  await removeState(context.config)
}

/** A dump holds everything of the other product, passwords included, so it does not lie here forgotten. */
const KEEP_MS = 7 * 86_400_000

/** Deletes a file that nobody has moved in for a week. */
export async function pruneUpload(context: Context): Promise<void> {
  const stored = await readCurrent(context)
  const { mtimeMs } = await stat(dumpFile(context.config)).catch(() => ({ mtimeMs: Date.now() }))
  if (stored && !stored.running && Date.now() - mtimeMs > KEEP_MS) await removeState(context.config)
}

async function storeEnd(
  { config }: Context,
  stored: StoredState,
  end: ImportEnd,
  isStopped: boolean,
): Promise<StoredState> {
  const report = 'report' in end ? end.report : null
  const state = { ...stored, running: null, report, problem: problemOf(stored, end, isStopped), ended_at: now() }
  // The dump holds everything of the other product, so it does not stay longer than needed.
  if (report && !report.is_dry_run) await rm(dumpFile(config), { force: true })
  await writeState(config, state)
  return state
}

function problemOf({ running }: StoredState, end: ImportEnd, isStopped: boolean): MovingIn['problem'] {
  if ('report' in end) return null
  const text = 'failed' in end ? end.failed : null
  if (running?.is_committed) return { kind: 'incomplete', text }
  return { kind: text === null ? (isStopped ? 'stopped' : 'killed') : 'failed', text }
}

const now = () => new Date().toISOString()
