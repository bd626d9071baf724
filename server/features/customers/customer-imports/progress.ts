import type { ImportProgress } from '#contract/customers/customer-imports.ts'
import { customerImportUpdated } from '#contract/customers/customer-imports.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

export const progressColumns = [
  'id',
  'status',
  'rows_total',
  'rows_done',
  'created_count',
  'updated_count',
  'failed_count',
  'updated_at',
] as const

/** Announces an import's progress to the team. */
export async function announceProgress(change: Change, account_id: string, id: string): Promise<void> {
  const row = await ofAccount(change.db, account_id)
    .selectFrom('customer_imports')
    .select(progressColumns)
    .where('id', '=', id)
    .$castTo<Omit<ImportProgress, 'object'>>()
    .executeTakeFirstOrThrow()
  change.announce(account_id, customerImportUpdated, { progress: { ...row, object: 'customer_import' } })
}
