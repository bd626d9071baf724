import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { pruneRows } from '../../../platform/db/prune-rows.ts'

/** For this long after its end, whoever opens the link reads that the invitation has expired. */
const KEPT_DAYS = 30

/** Deletes used and expired invitations. */
export function pruneInvitations(db: Db): Promise<void> {
  return pruneRows(db, 'user_invitations', sql<SqlBool>`expires_at < now() - make_interval(days => ${KEPT_DAYS})`)
}
