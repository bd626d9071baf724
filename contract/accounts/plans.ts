import * as z from 'zod/mini'

/** The plans of an account. Enterprise is advertised, but arranged individually. */
export const SubscriptionPlan = z.enum(['starter', 'lite', 'team'])
export type SubscriptionPlan = z.output<typeof SubscriptionPlan>

/** Features that only some plans include, in the order of the price list. */
export const FEATURES = [
  'widget',
  'private_notes',
  'reply_from_slack',
  'slack',
  'gmail',
  'google_sheets',
  'email_forwarding',
  'email_support',
  'screen_sharing',
  'webhooks',
  'hidden_branding',
  'priority_support',
  'on_premise',
  'custom_integrations',
] as const
/** A feature of a plan. */
export type PlanFeature = (typeof FEATURES)[number]

/** One line of the price list. */
export interface Offer {
  name: SubscriptionPlan | 'enterprise'
  /** US cents per month; null means on request. */
  price: number | null
  /** Included users; null means unlimited. */
  seats: number | null
  /** Included messages per month; null means unlimited. */
  messages: number | null
  /** Days for which closed conversations are kept; null means for ever. */
  retention_days: number | null
  /** Features in addition to the previous plan. */
  adds: readonly PlanFeature[]
}

/** The price list. */
export function offers({ alternatePricing }: { alternatePricing: boolean }): readonly Offer[] {
  const price = (usual: number, alternate: number) => (alternatePricing ? alternate : usual) * 100
  return [
    { name: 'starter', price: price(49, 99), seats: 2, messages: 1_000, retention_days: 30, adds: ['widget'] },
    {
      name: 'lite',
      price: price(99, 149),
      seats: 4,
      messages: null,
      retention_days: 90,
      adds: [
        'private_notes',
        'reply_from_slack',
        'slack',
        'gmail',
        'google_sheets',
        'email_forwarding',
        'email_support',
      ],
    },
    {
      name: 'team',
      price: price(249, 299),
      seats: 10,
      messages: null,
      retention_days: null,
      adds: ['screen_sharing', 'webhooks', 'hidden_branding', 'priority_support'],
    },
    {
      name: 'enterprise',
      price: null,
      seats: null,
      messages: null,
      retention_days: null,
      adds: ['on_premise', 'custom_integrations'],
    },
  ]
}

/** Maximum number of users; a plan without entry has no limit. The team plan includes ten, but does not enforce it. */
const SEAT_LIMITS: Partial<Record<SubscriptionPlan, number>> = { starter: 2, lite: 4 }

/** With more messages in total, the starter plan counts as exceeded. */
const MESSAGES_EXCEEDED = 100_000

/** Length of the first subscription's trial in days. */
export const TRIAL_DAYS = 14
/** Days that a plan stays after a failed payment. */
export const GRACE_DAYS = 14
/** Days between the warning about a plan's retention period and the first deletion. */
export const RETENTION_NOTICE_DAYS = 14

/** Whether a team with this many active users can have one more. */
export function hasSeat(plan: SubscriptionPlan, taken: number): boolean {
  return taken < (SEAT_LIMITS[plan] ?? Number.POSITIVE_INFINITY)
}

/** Whether an account uses more than its plan allows. The team plan is never exceeded. */
export function exceedsPlan(plan: SubscriptionPlan, used: { num_users: number; num_messages: number }): boolean {
  const { users, messages } = planLimits(plan)
  return used.num_users > users || used.num_messages > messages
}

/** The most users and messages of a plan before it counts as exceeded; `Infinity` where there is no limit. */
export function planLimits(plan: SubscriptionPlan): { users: number; messages: number } {
  return {
    users: SEAT_LIMITS[plan] ?? Number.POSITIVE_INFINITY,
    messages: plan === 'starter' ? MESSAGES_EXCEEDED : Number.POSITIVE_INFINITY,
  }
}

/** The day by which an account that exceeds its plan has to upgrade: the first of the next month. */
export function upgradeBy(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth() + 1, 1)
}

/** Whether a plan, or one below it, includes a feature. */
export function includesFeature(plan: SubscriptionPlan, feature: PlanFeature): boolean {
  const list = offers({ alternatePricing: false })
  const own = list.findIndex(({ name }) => name === plan)
  return list.slice(0, own + 1).some(({ adds }) => adds.includes(feature))
}

/** Days after which a plan deletes closed conversations; null keeps them. */
export function retentionDays(plan: SubscriptionPlan): number | null {
  return offers({ alternatePricing: false }).find(({ name }) => name === plan)?.retention_days ?? null
}

const EU_PREFIX = 'eu-'

/** The product name of a plan: the EU edition has products of its own. */
export function productName(plan: SubscriptionPlan, { isEu }: { isEu: boolean }): string {
  return `${isEu ? EU_PREFIX : ''}${plan}`
}

/** The plan of a product or plan name, with or without the prefix of the EU edition; undefined for other texts. */
export function planNamed(name: string | null | undefined): SubscriptionPlan | undefined {
  const { success, data } = SubscriptionPlan.safeParse(name?.startsWith(EU_PREFIX) ? name.slice(3) : name)
  return success ? data : undefined
}
