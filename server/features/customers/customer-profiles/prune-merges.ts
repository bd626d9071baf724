import { type SqlBool, sql } from 'kysely'
import { MERGE_UNDO_DAYS } from '#contract/customers/customer-profiles.ts'
import type { Db } from '../../../platform/db/change.ts'
import { pruneRows } from '../../../platform/db/prune-rows.ts'
import { AUDIT_DAYS } from '../../accounts/audit/audit.ts'

/**
 * Deletes merges that can no longer be undone. Until then, and as long as the audit trail may name values that one
 * customer took from another, erasing needs them to find these.
 */
export function pruneMerges(db: Db): Promise<void> {
  const days = MERGE_UNDO_DAYS + AUDIT_DAYS
  return pruneRows(db, 'customer_merges', sql<SqlBool>`created_at < now() - make_interval(days => ${days})`)
}
