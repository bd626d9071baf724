import { sql } from 'kysely'
import type { IntegrationName } from '#contract/connections/integrations.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** The queue in which posts of an erased conversation are taken back one after the other. */
export function queueOfErased(conversation_id: string): string {
  return `erased ${conversation_id}`
}

interface Unsure {
  authorization_id: string
  integration: IntegrationName
  conversation_id: string
  created_at: string
  /** Whether some server may be sending it. */
  is_under_way: boolean
}

/**
 * Deliveries of these conversations whose outcome is unknown. Locks all of the conversations' deliveries until the
 * change commits, so that no server starts another one.
 */
export async function lockUnsure(tx: Change, account_id: string, conversation_ids: string[]): Promise<Unsure[]> {
  const { rows } = await sql<Unsure & { is_unsure: boolean }>`
    select d.authorization_id, d.integration, d.conversation_id, d.created_at, d.is_unsure,
      coalesce(d.taken_until > clock_timestamp(), false) as is_under_way
    from deliveries d
      join authorizations a on a.account_id = d.account_id and a.id = d.authorization_id and a.removed_at is null
    where d.account_id = ${account_id} and d.conversation_id = any (${conversation_ids}::uuid[])
    order by d.number
    for update of d`.execute(tx.db)
  return rows.filter(({ is_unsure }) => is_unsure)
}

interface Ended {
  account_id: string
  authorization_id: string | null
  conversation_id: string | null
}

/** Makes the removal of a post due now: the try that it waited for has ended. */
export async function makeDeletionsDue(
  { db }: Pick<Change, 'db'>,
  { account_id, authorization_id, conversation_id }: Ended,
): Promise<void> {
  if (!conversation_id) return
  await ofAccount(db, account_id)
    .updateTable('deliveries')
    .set({ not_before: sql<string>`clock_timestamp()` })
    .where('authorization_id', '=', authorization_id)
    .where('queue', '=', queueOfErased(conversation_id))
    .where('state', '=', 'waiting')
    .where('not_before', '>', sql<string>`clock_timestamp()`)
    .execute()
}
