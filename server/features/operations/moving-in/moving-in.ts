import { rm } from 'node:fs/promises'
import type { MovingIn, ProductId } from '#contract/operations/moving-in.ts'
import type { Context } from '../../../context.ts'
import { Invalid, Refusal } from '../../../errors.ts'
import { decryptIfPossible } from '../../../platform/crypto/keyring.ts'
import { listServers } from '../health/servers.ts'
import { type ImportEnd, ImportProcess } from './import-process.ts'
import {
  dumpFile,
  lastChanged,
  readState,
  receivedBytes,
  removeReadings,
  removeState,
  type StoredState,
  writeState,
} from './stored-state.ts'

interface Running {
  child: ImportProcess
  /** Resolves once its end is stored. */
  settled: Promise<void>
}

/** The process of each server; there is one at most. */
const processes = new WeakMap<Context, Running>()

const MB = 1_000_000
const BUSY = 'An import is running. Stop it first.'
const SEVERAL =
  'This installation runs on several servers, and each would know a part of the import. Move in on the command line: npm run parley -- import-papercups dump.sql'
const OFF = 'Moving in is switched off here (MOVING_IN_MB).'
const NO_FILE = 'Upload the whole file first.'
const NO_TOKEN = 'Enter the access token of the old server again.'
/** Where the token of an API is encrypted for. */
const TOKEN = { purpose: 'moving_in.token' }

/** What the page shows. */
export async function describeMovingIn(context: Context, may_move: boolean): Promise<MovingIn> {
  const stored = may_move ? await readCurrent(context) : undefined
  const running = processes.get(context)
  const received = stored?.file ? await receivedBytes(context.config) : 0
  const isPart = !!stored?.file && received < stored.file.size && !stored.report
  const idle = !stored ? 'none' : isPart ? 'uploading' : 'waiting'
  return {
    object: 'moving_in',
    may_move,
    max_bytes: context.config.movingInMb * MB,
    state: stored?.running?.state ?? idle,
    product: stored?.product ?? null,
    file: stored?.file ? { ...stored.file, received } : null,
    api: stored?.api ? { ...withoutToken(stored.api), has_token: stored.api.token !== null } : null,
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
 * Whether an import can be prepared here.
 * @throws Refusal
 */
export async function assertPossible(context: Context): Promise<void> {
  await readIdle(context)
  if (context.config.movingInMb === 0) throw new Refusal(409, OFF)
  // Files and state are in the folder of one server.
  const servers = await listServers(context)
  if (servers.filter(({ is_missing }) => !is_missing).length > 1) throw new Refusal(409, SEVERAL)
}

/**
 * Starts a check or an import of the uploaded file in a process of its own.
 * @throws Refusal
 */
export async function startImport(context: Context, isDryRun: boolean): Promise<void> {
  const { config, database } = context
  const stored = await readIdle(context)
  if (!stored || (stored.file && (await receivedBytes(config)) < stored.file.size)) throw new Refusal(409, NO_FILE)
  const token = stored.api ? openToken(context, stored.api) : undefined
  // Another request may have started one since it was read.
  if (processes.has(context)) throw new Refusal(409, BUSY)
  const { product } = stored
  const running = { state: isDryRun ? ('checking' as const) : ('moving' as const), is_committed: false }
  const state: StoredState = { ...stored, running, report: null, problem: null, ended_at: null }
  const wasChecked = !!stored.report?.is_dry_run
  const { address, account } = stored.api ?? { address: dumpFile(config), account: null }
  const order = { config, database, product, address, account, token, isDryRun, wasChecked }
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

/**
 * Names a server whose API is read, in place of an earlier upload.
 * @throws Refusal
 */
export async function connectApi(
  context: Context,
  { product, address, account, token }: { product: ProductId; address: string; account: string | null; token: string },
): Promise<void> {
  const { config, keys } = context
  const url = URL.parse(address)
  if (!url) throw new Invalid({ address: ['is invalid'] })
  await assertPossible(context)
  await removeState(config)
  const sealed = keys.encrypt(TOKEN, token).toString('base64')
  const idle = { running: null, report: null, problem: null, ended_at: null }
  await writeState(config, {
    product,
    file: null,
    api: { address: url.origin, account, token: sealed },
    ...idle,
  })
}

/** @throws Refusal if it is gone, or was encrypted with another key */
function openToken({ keys }: Context, { token }: NonNullable<StoredState['api']>): string {
  const plain = token === null ? undefined : decryptIfPossible(keys, TOKEN, Buffer.from(token, 'base64'))
  if (plain === undefined) throw new Refusal(409, NO_TOKEN)
  return plain
}

function withoutToken({ token: _, ...api }: NonNullable<StoredState['api']>) {
  return api
}

/** Stops what runs, and waits for its end. */
export async function stopImport(context: Context): Promise<void> {
  const running = processes.get(context)
  running?.child.stop()
  await running?.settled
}

/**
 * Deletes the file or token, what was read, and the report.
 * @throws Refusal if an import runs
 */
export async function removeImport(context: Context): Promise<void> {
  await readIdle(context)
  await removeState(context.config)
  await removeReadings(context.config)
}

/** A dump holds everything of the other product, passwords included, and a token opens it: neither is forgotten here. */
const KEEP_MS = 7 * 86_400_000

/** Deletes a file, a token and what was read, with which nobody has moved in for a week. */
export async function pruneUpload(context: Context): Promise<void> {
  const stored = await readCurrent(context)
  if (stored && !stored.running && Date.now() - (await lastChanged(context.config)) > KEEP_MS)
    await removeState(context.config)
  await removeReadings(context.config, Date.now() - KEEP_MS)
}

async function storeEnd(
  { config }: Context,
  stored: StoredState,
  end: ImportEnd,
  isStopped: boolean,
): Promise<StoredState> {
  const report = 'report' in end ? end.report : null
  const isMoved = !!report && !report.is_dry_run
  const api = stored.api && { ...stored.api, ...(isMoved && { token: null }) }
  const state = { ...stored, api, running: null, report, problem: problemOf(stored, end, isStopped), ended_at: now() }
  // The dump holds everything of the other product, so it does not stay longer than needed; neither does a token.
  if (isMoved) await rm(dumpFile(config), { force: true })
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
