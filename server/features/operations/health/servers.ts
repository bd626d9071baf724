import { hostname } from 'node:os'
import { type SqlBool, sql } from 'kysely'
import type { ServerSeen } from '#contract/operations/health.ts'
import { type Context, perServer } from '../../../context.ts'
import { newId } from '../../../platform/secrets.ts'
import { findUnconnectedServers } from '../operations/unconnected-servers.ts'
import { describeClock, measureClock } from './clock.ts'
import { descriptorsOf, watchDescriptors } from './descriptors.ts'

/** How often a server records that it runs. */
const SEEN_MS = 30_000
/** After this long without a record, a server counts as missing: three intervals and some seconds. */
const MISSING_SECONDS = 95
/** For how long a missing server is reported. */
const KEPT_HOURS = 24

const presenceOf = perServer(() => ({
  id: newId(),
  started_at: new Date().toISOString(),
  timer: undefined as NodeJS.Timeout | undefined,
  clockAheadMs: undefined as number | undefined,
  isWarnedOfClock: false,
  isWarned: false,
}))

/** How far this server's clock is ahead of the database's, as measured last. */
export function clockAheadOf(context: Context): number | undefined {
  return presenceOf(context).clockAheadMs
}

/** Records that this server runs, now and every half minute. */
export function registerServer(context: Context): void {
  const presence = presenceOf(context)
  const note = () =>
    recordServer(context).catch((error) =>
      context.log.debug({ err: error }, 'The heartbeat of this server could not be stored'),
    )
  void note()
  presence.timer = setInterval(note, SEEN_MS).unref()
  watchDescriptors(context, note)
}

/** Removes the record of a server that stops in order. If the database is unreachable, the record stays until it expires. */
export function unregisterServer(context: Context): void {
  const { id, timer } = presenceOf(context)
  clearInterval(timer)
  void descriptorsOf(context).probing?.stop()
  void context.db
    .deleteFrom('servers')
    .where('id', '=', id)
    .execute()
    .catch(() => undefined)
}

async function recordServer(context: Context): Promise<void> {
  const { id, started_at } = presenceOf(context)
  const trouble = {
    clock_ahead_ms: (await checkClock(context)) ?? null,
    descriptors_exhausted_at: descriptorsOf(context).exhaustedAt,
  }
  await context.db
    .insertInto('servers')
    .values({ id, name: hostname(), version: context.version, started_at, ...trouble })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ seen_at: sql<string>`clock_timestamp()`, ...trouble }),
    )
    .execute()
  await context.db
    .deleteFrom('servers')
    .where(sql<SqlBool>`seen_at < now() - make_interval(hours => ${KEPT_HOURS})`)
    .execute()
  await warnIfUnconnected(context)
}

/** Compares this machine's clock with the database's. The log says once that it is off, and once that it is right again. */
async function checkClock(context: Context): Promise<number | undefined> {
  const presence = presenceOf(context)
  presence.clockAheadMs = await measureClock(context.db)
  const problem = describeClock(presence.clockAheadMs)
  if (problem && !presence.isWarnedOfClock) context.log.warn(problem)
  if (!problem && presence.isWarnedOfClock) context.log.info('The clock of this server is right again')
  presence.isWarnedOfClock = problem !== undefined
  return presence.clockAheadMs
}

/** Says once in the log of each server that nothing connects them. */
async function warnIfUnconnected(context: Context): Promise<void> {
  const presence = presenceOf(context)
  const problem = await findUnconnectedServers(context)
  if (problem && !presence.isWarned) context.log.warn(problem)
  presence.isWarned = problem !== undefined
}

const isMissing = sql<boolean>`servers.seen_at < clock_timestamp() - make_interval(secs => ${MISSING_SECONDS})`

/**
 * The servers of the installation, the longest running first. One that was started again since it was last seen, judging
 * by the machine's name, is not missing: its old record is left out.
 */
export async function listServers(context: Context): Promise<ServerSeen[]> {
  const { id: own } = presenceOf(context)
  return context.countingDb
    .selectFrom('servers')
    .select(['id', 'name', 'version', 'started_at', 'seen_at', 'descriptors_exhausted_at'])
    .select(sql<number | null>`round(clock_ahead_ms / 1000.0)::integer`.as('clock_ahead_seconds'))
    .select(isMissing.as('is_missing'))
    .where(sql<SqlBool>`not (${isMissing} and exists (
      select from servers next where next.name = servers.name and next.started_at > servers.seen_at))`)
    .select((eb) => eb('id', '=', own).$castTo<boolean>().as('is_this'))
    .orderBy('started_at')
    .orderBy('id')
    .execute()
}
