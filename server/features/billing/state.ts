import { GRACE_DAYS, type SubscriptionPlan } from '#contract/plans.ts'
import type { BillingAccount } from './accounts.ts'
import type { Reading } from './reading.ts'

const DAY_MS = 86_400_000

/** What follows from a reading. */
export interface Outcome {
  /** The plan that the account has from now on; undefined leaves it as it is. */
  plan: SubscriptionPlan | undefined
  payment_failed_at: string | null
  grace_until: string | null
}

type Before = Pick<BillingAccount, 'payment_failed_at' | 'grace_until' | 'subscription'>
type Read = Pick<Reading, 'subscription' | 'plan' | 'ended_unpaid'>

const FINE = { payment_failed_at: null, grace_until: null }

/**
 * Decides which plan an account has. A payment that fails takes nothing away at once: the plan stays for the days of
 * grace, even where Stripe has given up before, and ends in the starter plan after them.
 */
export function decide(before: Before, { subscription, plan, ended_unpaid }: Read, now: Date): Outcome {
  switch (subscription?.status) {
    case 'active':
    case 'trialing':
      return { plan, ...FINE }
    case 'past_due':
    case 'unpaid':
      return failing(before, plan, now)
    case 'incomplete':
    case 'incomplete_expired':
      // Its first payment was not made yet, so it gives nothing; a plan before it may still be in its days of grace.
      return before.grace_until ? endGrace(failing(before, undefined, now), now) : { plan: undefined, ...FINE }
    default:
      // It has ended. An account that never had one, or whose end is known, keeps the plan that it was given since.
      if (!before.subscription) return { plan: undefined, ...FINE }
      return ended_unpaid ? endGrace(failing(before, plan, now), now) : { plan: 'starter', ...FINE }
  }
}

function failing(before: Before, plan: SubscriptionPlan | undefined, now: Date): Outcome {
  const payment_failed_at = before.payment_failed_at ?? now.toISOString()
  const grace_until = before.grace_until ?? new Date(Date.parse(payment_failed_at) + GRACE_DAYS * DAY_MS).toISOString()
  return { plan: isPast(grace_until, now) ? 'starter' : plan, payment_failed_at, grace_until }
}

/** Of a subscription that is gone nothing is left to be paid. */
function endGrace(outcome: Outcome, now: Date): Outcome {
  return isPast(outcome.grace_until!, now) ? { plan: 'starter', ...FINE } : outcome
}

/** Whether a moment lies behind. */
export function isPast(iso: string, now: Date): boolean {
  return Date.parse(iso) <= now.getTime()
}
