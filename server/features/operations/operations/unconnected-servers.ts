import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

/** A server records every half minute that it runs. */
const RECENT_SECONDS = 95

const UNCONNECTED =
  'Several servers use this database without REDIS_URL, so live updates between them come seconds late, and typing, presence and limits are not shared. Set one REDIS_URL for all of them, or stop all but one.'

/**
 * A sentence if other servers run on the same database and nothing connects them. Two servers run beside each other if
 * each has been seen since the other one started: one that was killed just before a restart does not count.
 */
export async function findUnconnectedServers({
  config,
  db,
}: Pick<Context, 'config' | 'db'>): Promise<string | undefined> {
  if (config.redisUrl) return undefined
  const { rows } = await sql`
    select from servers a join servers b on a.id < b.id and a.seen_at > b.started_at and b.seen_at > a.started_at
    where least(a.seen_at, b.seen_at) > clock_timestamp() - make_interval(secs => ${RECENT_SECONDS})
    limit 1`.execute(db)
  return rows.length > 0 ? UNCONNECTED : undefined
}
