import type { Context } from '../../../context.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { deleteInboundWith } from '../../connections/inbound/inbound-events.ts'
import { deleteAnswersOf } from '../../developers/idempotency/idempotency.ts'
import { deleteImportsWith } from '../customer-imports/imports.ts'
import { type FormerValues, listFormerValues } from '../customer-profiles/merging.ts'
import { getCustomerId } from '../customers/customers.ts'
import { deleteMentionsOf } from './forget-mentions.ts'

/** Traces of a customer that are not linked by id. They can only be found before the customer is erased. */
interface Traces {
  emails: string[]
  external_ids: string[]
  lent: FormerValues[]
}

/** @throws NotFound */
export async function findTraces(db: Db, account_id: string, id: string): Promise<Traces> {
  const own_id = await getCustomerId(db, account_id, id)
  const rows = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select(['id', 'email', 'external_id', 'claimed_external_id'])
    .where((row) => row.or([row('id', '=', own_id), row('merged_into', '=', own_id)]))
    .execute()
  const ids = rows.map((row) => row.id)
  const sessions = await ofAccount(db, account_id)
    .selectFrom('visitor_sessions')
    .select('email')
    .where('customer_id', 'in', ids)
    .execute()
  const conversations = await ofAccount(db, account_id)
    .selectFrom('conversations')
    .select('reply_email as email')
    .where('customer_id', 'in', ids)
    .where('reply_email', 'is not', null)
    .execute()
  return {
    emails: [...rows, ...sessions, ...conversations].flatMap(({ email }) => email ?? []),
    external_ids: rows.flatMap(({ external_id, claimed_external_id }) =>
      [external_id ?? [], claimed_external_id ?? []].flat(),
    ),
    lent: await listFormerValues(db, account_id, ids),
  }
}

/**
 * Deletes mails to them, unprocessed events received from them, stored responses to programs, unstarted imports with
 * them, and values that other customers took from them.
 */
export async function deleteTraces(
  context: Pick<Context, 'jobs'>,
  change: Change,
  account_id: string,
  { emails, external_ids, lent }: Traces,
): Promise<void> {
  if (emails.length > 0) {
    // Writes mails, too: erasing removes words wherever they are.
    await ofAccount(change.db, account_id)
      .deleteFrom('mails')
      .where((mail) =>
        mail(
          mail.fn('lower', ['recipient']),
          'in',
          emails.map((email) => email.toLowerCase()),
        ),
      )
      .execute()
  }
  await deleteInboundWith(context, change, account_id, emails)
  await deleteAnswersOf(change, account_id)
  await deleteImportsWith(change, account_id, [...emails, ...external_ids])
  for (const { customer_id, words } of lent) {
    const conversations = await ofAccount(change.db, account_id)
      .selectFrom('conversations')
      .select('id')
      .where('customer_id', '=', customer_id)
      .execute()
    const ids = [customer_id, ...conversations.map(({ id }) => id)]
    await deleteMentionsOf(change, account_id, ids, words)
  }
}
