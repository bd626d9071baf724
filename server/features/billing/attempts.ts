import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import { holdBillingAccount, saveBillingAccount } from './accounts.ts'
import { isAnswered, isStripeFailure, refusing } from './stripe-client.ts'

/** After so long nobody waits for an answer any more, and what became of the call is read from Stripe. */
const FORGOTTEN_MS = 600_000

/**
 * Makes calls to Stripe that write, with keys by which Stripe recognises a repeat. As long as it is not known how the
 * calls ended (no answer came, or this server was killed) the keys stay, so whoever tries again continues the same attempt
 * and nothing is done twice. Once Stripe has answered, the next attempt has keys of its own.
 *
 * The key is taken before anything is read from Stripe: then whoever still bears an old key cannot have missed what an
 * attempt with that key has done.
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
      // A refusal comes from reading, after everything that was written before it had been answered.
      if (isStripeFailure(error) ? isAnswered(error) : error instanceof Refusal) await end()
      throw error
    }),
  )
  await end()
  return result
}

function beginAttempt({ change }: Context, account_id: string): Promise<number> {
  return change(async (open) => {
    const { attempt, attempted_at } = await holdBillingAccount(open, account_id)
    const isUnderWay = attempted_at !== null && Date.now() - Date.parse(attempted_at) < FORGOTTEN_MS
    if (isUnderWay) return attempt
    await saveBillingAccount(open, account_id, { attempt: attempt + 1, attempted_at: new Date().toISOString() })
    return attempt + 1
  })
}

async function endAttempt({ change }: Context, account_id: string, number: number): Promise<void> {
  await change(async (open) => {
    const { attempt } = await holdBillingAccount(open, account_id)
    if (attempt === number) await saveBillingAccount(open, account_id, { attempted_at: null })
  })
}
