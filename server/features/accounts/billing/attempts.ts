import type { Context } from '../../../context.ts'
import { Refusal } from '../../../errors.ts'
import { lockBillingAccount, saveBillingAccount } from './accounts.ts'
import { isAnswered, isStripeFailure, refusing } from './stripe-client.ts'

/** After this long nobody waits for the response any more, and the outcome is read from Stripe. */
const FORGOTTEN_MS = 600_000

/**
 * Makes writing calls to Stripe with idempotency keys. While the outcome is unknown (no response, or this server was
 * killed) the keys are kept, so a retry continues the same attempt and nothing is done twice.
 * Once Stripe has answered, the next attempt gets new keys.
 *
 * The key is taken before anything is read from Stripe, so an attempt with an old key cannot have missed what was
 * done with that key.
 */
export async function attempt<Result>(
  context: Context,
  account_id: string,
  work: (keyFor: (call: string) => { idempotencyKey: string }) => Promise<Result>,
): Promise<Result> {
  const number = await beginAttempt(context, account_id)
  const keyFor = (call: string) => ({ idempotencyKey: `${account_id}:${number}:${call}` })
  const end = () => endAttempt(context, account_id, number)
  const result = await refusing(context, () =>
    work(keyFor).catch(async (error) => {
      // A refusal comes from reading, after all earlier writes were answered.
      if (isStripeFailure(error) ? isAnswered(error) : error instanceof Refusal) await end()
      throw error
    }),
  )
  await end()
  return result
}

function beginAttempt({ change }: Context, account_id: string): Promise<number> {
  return change(async (tx) => {
    const { attempt, attempted_at } = await lockBillingAccount(tx, account_id)
    const isUnderWay = attempted_at !== null && Date.now() - Date.parse(attempted_at) < FORGOTTEN_MS
    if (isUnderWay) return attempt
    await saveBillingAccount(tx, account_id, { attempt: attempt + 1, attempted_at: new Date().toISOString() })
    return attempt + 1
  })
}

async function endAttempt({ change }: Context, account_id: string, number: number): Promise<void> {
  await change(async (tx) => {
    const { attempt } = await lockBillingAccount(tx, account_id)
    if (attempt === number) await saveBillingAccount(tx, account_id, { attempted_at: null })
  })
}
