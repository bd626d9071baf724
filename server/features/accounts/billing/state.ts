import { GRACE_DAYS, type SubscriptionPlan } from '#contract/accounts/plans.ts'
import type { BillingAccount } from './accounts.ts'
import type { StripeReading } from './reading.ts'

const DAY_MS = 86_400_000

/** What follows from a reading. */
export interface PaymentOutcome {
  /** The account's plan from now on; undefined leaves it unchanged. */
  plan: SubscriptionPlan | undefined
  payment_failed_at: string | null
  grace_until: string | null
}

type PreviousState = Pick<BillingAccount, 'payment_failed_at' | 'grace_until' | 'subscription'>
type Read = Pick<StripeReading, 'subscription' | 'plan' | 'ended_unpaid'>

const FINE = { payment_failed_at: null, grace_until: null }

/**
 * Decides an account's plan. A failed payment has no immediate effect: the plan stays for the grace period, even if
 * Stripe has given up before, and then becomes the starter plan.
 */
export function decide(before: PreviousState, { subscription, plan, ended_unpaid }: Read, now: Date): PaymentOutcome {
  switch (subscription?.status) {
    case 'active':
    case 'trialing':
      return { plan, ...FINE }
    case 'past_due':
    case 'unpaid':
      return failing(before, plan, now)
    case 'incomplete':
    case 'incomplete_expired':
      // The first payment is still missing, so it grants nothing; an earlier plan may still be in its grace period.
      return before.grace_until ? endGrace(failing(before, undefined, now), now) : { plan: undefined, ...FINE }
    default:
      // It has ended. An account that never had one, or whose end was already handled, keeps its current plan.
      if (!before.subscription) return { plan: undefined, ...FINE }
      return ended_unpaid ? endGrace(failing(before, plan, now), now) : { plan: 'starter', ...FINE }
  }
}

function failing(before: PreviousState, plan: SubscriptionPlan | undefined, now: Date): PaymentOutcome {
  const payment_failed_at = before.payment_failed_at ?? now.toISOString()
  const grace_until = before.grace_until ?? new Date(Date.parse(payment_failed_at) + GRACE_DAYS * DAY_MS).toISOString()
  return { plan: isPast(grace_until, now) ? 'starter' : plan, payment_failed_at, grace_until }
}

/** An ended subscription has nothing left to be paid. */
function endGrace(outcome: PaymentOutcome, now: Date): PaymentOutcome {
  return isPast(outcome.grace_until!, now) ? { plan: 'starter', ...FINE } : outcome
}

/** Whether a time is in the past. */
export function isPast(iso: string, now: Date): boolean {
  return Date.parse(iso) <= now.getTime()
}
