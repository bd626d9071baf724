import { hostname } from 'node:os'
import { type SqlBool, sql } from 'kysely'
import type { ServerSeen } from '#contract/health.ts'
import { type Context, perServer } from '../../context.ts'
import { newId } from '../../platform/secrets.ts'

/** How often a server says that it is there. */
const SEEN_MS = 30_000
/** After this one that said nothing is missing: three times, and some seconds. */
const MISSING_SECONDS = 95
/** For so long people are told of one that is missing. */
const KEPT_HOURS = 24

const presenceOf = perServer(() => ({
  id: newId(),
  started_at: new Date().toISOString(),
  timer: undefined as NodeJS.Timeout | undefined,
}))

/** Notes that this server runs, now and every half minute. */
export function registerServer(context: Context): void {
  const presence = presenceOf(context)
  const note = () =>
    noteServer(context).catch((error) =>
      context.log.debug({ err: error }, 'This server could not say that it is there'),
    )
  void note()
  presence.timer = setInterval(note, SEEN_MS).unref()
}

/** A server that stops in order is not missing. Where the database is away its row stays until it is forgotten. */
export function unregisterServer(context: Context): void {
  const { id, timer } = presenceOf(context)
  clearInterval(timer)
  void context.db
    .deleteFrom('servers')
    .where('id', '=', id)
    .execute()
    .catch(() => undefined)
}

async function noteServer(context: Context): Promise<void> {
  const { id, started_at } = presenceOf(context)
  await context.db
    .insertInto('servers')
    .values({ id, name: hostname(), version: context.version, started_at })
    .onConflict((there) => there.column('id').doUpdateSet({ seen_at: sql<string>`clock_timestamp()` }))
    .execute()
  await context.db
    .deleteFrom('servers')
    .where(sql<SqlBool>`seen_at < now() - make_interval(hours => ${KEPT_HOURS})`)
    .execute()
}

/** The servers of the installation, the longest running first. */
export async function listServers(context: Context): Promise<ServerSeen[]> {
  const { id: own } = presenceOf(context)
  return context.countingDb
    .selectFrom('servers')
    .select(['id', 'name', 'version', 'started_at', 'seen_at'])
    .select(sql<boolean>`seen_at < clock_timestamp() - make_interval(secs => ${MISSING_SECONDS})`.as('is_missing'))
    .select((eb) => eb('id', '=', own).$castTo<boolean>().as('is_this'))
    .orderBy('started_at')
    .orderBy('id')
    .execute()
}
