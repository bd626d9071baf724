import type { Context } from '../../../context.ts'
import { acrossAccounts } from '../../../platform/db/of-account.ts'
import type { SignatureScheme } from '../../../platform/http/signatures.ts'
import { findAccountOfCustomer } from './accounts.ts'
import { syncAccount } from './syncing.ts'

/** Maximum age of a signed event in seconds. */
const TOLERANCE = 300

/** How Stripe signs its events. */
export function stripeSignature({ config }: Context): SignatureScheme {
  return {
    async verify({ headers }, rawBody) {
      const header = headers['stripe-signature']
      if (!config.billing || !config.stripeWebhookSecret || typeof header !== 'string') return false
      const { default: Stripe } = await import('stripe')
      try {
        await Stripe.webhooks.constructEventAsync(rawBody, header, config.stripeWebhookSecret, TOLERANCE)
        return true
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
        throw error
      }
    },
  }
}

interface StripeEvent {
  id: string
  type: string
  data?: unknown
}

/**
 * Handles an event of Stripe. It is stored before it is answered, and a repeated one is ignored. Its contents are not
 * used: the customer is read from Stripe, so events may come in any order.
 */
export async function receiveEvent(context: Context, event: StripeEvent): Promise<void> {
  const customer = customerOf(event)
  const account_id = customer && (await findAccountOfCustomer(context.db, customer))
  if (!account_id) return
  await context.change(async ({ db }) => {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('billing_events')
      .values({ account_id, id: event.id, type: event.type })
      .onConflict((conflict) => conflict.columns(['account_id', 'id']).doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows) await context.jobs.enqueue(db, syncAccount, { account_id })
  })
}

/** The id of the customer that an event is about. */
function customerOf({ type, data }: StripeEvent): string | undefined {
  const about = (data as { object?: { id?: unknown; customer?: unknown } } | undefined)?.object
  const customer = type.startsWith('customer.') && !about?.customer ? about?.id : about?.customer
  if (typeof customer === 'string') return customer
  const id = (customer as { id?: unknown } | null | undefined)?.id
  return typeof id === 'string' ? id : undefined
}

const KEPT_DAYS = 60

/** Deletes events that Stripe no longer resends. */
export async function pruneBillingEvents({ db }: Context, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000).toISOString()
  await acrossAccounts(db, 'looks after all accounts at once')
    .deleteFrom('billing_events')
    .where('received_at', '<', before)
    .execute()
}
