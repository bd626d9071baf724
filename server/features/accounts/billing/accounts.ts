import type { Selectable } from 'kysely'
import type { PaymentMethod, Product, Subscription } from '#contract/accounts/billing.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import type { Database } from '../../../platform/db/schema.ts'
import { toJson } from '../../../platform/db/to-json.ts'

type BillingAccountRow = Selectable<Database['billing_accounts']>

/** The billing data of an account. */
export type BillingAccount = Omit<BillingAccountRow, 'subscription' | 'product' | 'payment_method'> & {
  subscription: Subscription | null
  product: Product | null
  payment_method: PaymentMethod | null
}

/** The billing data of an account; undefined if there is none yet. */
export function findBillingAccount(db: Db, account_id: string): Promise<BillingAccount | undefined> {
  return ofAccount(db, account_id)
    .selectFrom('billing_accounts')
    .selectAll()
    .$castTo<BillingAccount>()
    .executeTakeFirst()
}

/** The same, created if missing, and locked until the transaction ends. */
export async function lockBillingAccount({ db }: Pick<Change, 'db'>, account_id: string): Promise<BillingAccount> {
  await db
    .insertInto('billing_accounts')
    .values({ account_id })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute()
  return ofAccount(db, account_id)
    .selectFrom('billing_accounts')
    .selectAll()
    .forUpdate()
    .$castTo<BillingAccount>()
    .executeTakeFirstOrThrow()
}

type Values = Partial<Omit<BillingAccount, 'account_id'>>

/** Writes billing data. */
export async function saveBillingAccount(
  { db }: Pick<Change, 'db'>,
  account_id: string,
  { subscription, product, payment_method, ...plain }: Values,
): Promise<void> {
  const json = (value: object | null) => (value ? toJson(value) : null)
  await ofAccount(db, account_id)
    .updateTable('billing_accounts')
    .set({
      ...plain,
      ...(subscription !== undefined && { subscription: json(subscription) }),
      ...(product !== undefined && { product: json(product) }),
      ...(payment_method !== undefined && { payment_method: json(payment_method) }),
    })
    .execute()
}

/** The account of a Stripe customer; undefined for customers of others that share the same Stripe account. */
export async function findAccountOfCustomer(db: Db, stripe_customer: string): Promise<string | undefined> {
  const row = await acrossAccounts(db, 'Stripe names its customer, and nothing else is known')
    .selectFrom('billing_accounts')
    .select('account_id')
    .where('stripe_customer', '=', stripe_customer)
    .executeTakeFirst()
  return row?.account_id
}

/** Statuses of an existing subscription: it is charged, or waits to be. */
const LIVE = ['trialing', 'active', 'past_due', 'unpaid', 'incomplete', 'paused']

/** Whether a subscription has one of these statuses. */
export function isLive(subscription: Pick<Subscription, 'status'> | null | undefined): boolean {
  return !!subscription && LIVE.includes(subscription.status)
}
