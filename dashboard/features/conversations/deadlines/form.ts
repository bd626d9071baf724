import type { DeadlinePolicy, DeadlinePolicyChanges } from '#contract/conversations/deadlines.ts'

/** A time that was typed; without an amount there is none. */
export interface TypedTime {
  amount: string
  unit: 'minutes' | 'hours'
}

export const TIMES = ['first_reply_minutes', 'next_reply_minutes', 'resolution_minutes', 'warn_minutes'] as const

/** What the form holds. */
export type PolicyForm = Record<(typeof TIMES)[number], TypedTime> &
  Pick<DeadlinePolicy, 'name' | 'inbox_ids' | 'tag_ids' | 'priority' | 'in_working_hours' | 'pauses_while_waiting'>

const NEW = {
  name: '',
  inbox_ids: [],
  tag_ids: [],
  priority: null,
  first_reply_minutes: 60,
  next_reply_minutes: 120,
  resolution_minutes: null,
  warn_minutes: 15,
  in_working_hours: true,
  pauses_while_waiting: true,
}

/** The form of a policy, or of a new one. Inboxes and tags that were deleted are left out. */
export function formOf(policy: DeadlinePolicy | undefined, inbox_ids: string[], tag_ids: string[]): PolicyForm {
  const { name, priority, in_working_hours, pauses_while_waiting, ...rest } = policy ?? NEW
  return {
    ...{ name, priority, in_working_hours, pauses_while_waiting },
    inbox_ids: rest.inbox_ids.filter((id) => inbox_ids.includes(id)),
    tag_ids: rest.tag_ids.filter((id) => tag_ids.includes(id)),
    first_reply_minutes: typed(rest.first_reply_minutes),
    next_reply_minutes: typed(rest.next_reply_minutes),
    resolution_minutes: typed(rest.resolution_minutes),
    warn_minutes: typed(rest.warn_minutes),
  }
}

function typed(minutes: number | null): TypedTime {
  if (minutes === null) return { amount: '', unit: 'hours' }
  if (minutes % 60 === 0) return { amount: String(minutes / 60), unit: 'hours' }
  return { amount: String(minutes), unit: 'minutes' }
}

/** The policy that a form describes. */
export function policyOf(form: PolicyForm): DeadlinePolicyChanges & { name: string } {
  const minutes = Object.fromEntries(TIMES.map((name) => [name, minutesOf(form[name])]))
  return { ...form, ...(minutes as Record<(typeof TIMES)[number], number | null>) }
}

function minutesOf({ amount, unit }: TypedTime): number | null {
  const count = Number(amount)
  return count > 0 ? count * (unit === 'hours' ? 60 : 1) : null
}
