import { sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { acrossAccounts } from '../../../platform/db/of-account.ts'
import { pruneRows } from '../../../platform/db/prune-rows.ts'

const MAX_SEARCHES = 2_000

/** Deletes what readers left behind once nobody needs it. Runs every hour. */
export async function pruneFeedback(db: Db): Promise<void> {
  const all = acrossAccounts(db, 'prunes all accounts at once')
  await pruneRows(all, 'article_reads', sql<boolean>`old.read_at < now() - interval '1 day'`)
  await pruneRows(all, 'article_votes', sql<boolean>`old.created_at < now() - interval '400 days'`)
  await pruneRows(all, 'help_gaps', sql<boolean>`old.last_at < now() - interval '180 days'`)
  // Anybody can search for anything, so only the most frequent searches are kept.
  await pruneRows(
    all,
    'help_gaps',
    sql<boolean>`old.kind = 'no_hits' and old.id in (
      select ranked.id from (
        select id, row_number() over (partition by account_id order by count desc, last_at desc) as rank
        from help_gaps where kind = 'no_hits') ranked
      where ranked.rank > ${MAX_SEARCHES})`,
  )
}
