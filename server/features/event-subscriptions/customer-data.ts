import type { CustomerData } from '../../customer-data.ts'

/** Customer data in the log of webhooks. */
export const webhookCustomerData: CustomerData[] = [
  {
    table: 'webhook_deliveries',
    merge: { stays: 'What was sent tells of the customer as they were then, and is forgotten after a week.' },
    export: { leftOut: 'It repeats what the document says, as it was sent to programs of the company.' },
    delete: {
      stays:
        'As the log of events, it forgets the customer within days; programs are still to be told that they are gone.',
    },
    async erase(_context, { db }, account_id, ids) {
      await db
        .deleteFrom('webhook_deliveries')
        .where('account_id', '=', account_id)
        .where('customer_id', 'in', ids)
        .where('event', '<>', 'customer:deleted')
        .execute()
      return {}
    },
  },
]
