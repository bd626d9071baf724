import type { CustomerData } from '../../../customer-data.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** Customer data in the log of webhooks. */
export const webhookCustomerData: CustomerData[] = [
  {
    table: 'webhook_deliveries',
    merge: { stays: 'Sent payloads contain the customer as of then, and are deleted after a week.' },
    export: { leftOut: 'It repeats the content of the export, as it was sent to programs of the company.' },
    delete: {
      stays:
        'Like the event log, it is deleted within days; programs still have to be notified that the customer was deleted.',
    },
    async erase(_context, { db }, account_id, ids) {
      await ofAccount(db, account_id)
        .deleteFrom('webhook_deliveries')
        .where('customer_id', 'in', ids)
        .where('event', '<>', 'customer:deleted')
        .execute()
      return {}
    },
  },
]

/** Deletes what was sent, or is still to be sent, about a conversation. */
export async function deleteWebhookDeliveriesOf(
  { db }: Change,
  account_id: string,
  conversation_id: string,
): Promise<void> {
  await ofAccount(db, account_id)
    .deleteFrom('webhook_deliveries')
    .where('conversation_id', '=', conversation_id)
    .execute()
}
