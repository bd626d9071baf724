import * as z from 'zod/mini'

/** What starts a rule: something that happens to a conversation, or time that passed. */
const HAPPENINGS = [
  'conversation_created',
  'customer_message',
  'team_message',
  'conversation_changed',
  'conversation_assigned',
  'deadline_warned',
  'deadline_broken',
] as const
/** Waiting for an answer of the team or of the customer, or being open since it began. */
const WAITS = ['waiting_for_team', 'waiting_for_customer', 'open_since'] as const

export const RULE_TRIGGERS = [...HAPPENINGS, ...WAITS] as const
export type RuleTriggerName = (typeof RULE_TRIGGERS)[number]

/** A month. */
const LONGEST_WAIT_MINUTES = 44_640

const WaitTrigger = z.object({
  on: z.enum(WAITS).check(z.describe('Who is waited for, or since when it is open.')),
  minutes: z.int32().check(z.gte(1), z.lte(LONGEST_WAIT_MINUTES), z.describe('How long, in minutes.')),
  in_working_hours: z.boolean().check(z.describe('Whether only minutes within working hours count.')),
})
export type WaitTrigger = z.output<typeof WaitTrigger>

export const RuleTrigger = z.union([
  z.object({ on: z.enum(HAPPENINGS).check(z.describe('What happens.')) }),
  WaitTrigger,
])
export type RuleTrigger = z.output<typeof RuleTrigger>

/** Whether a rule starts because time passed. */
export function isWait(trigger: RuleTrigger): trigger is WaitTrigger {
  return 'minutes' in trigger
}
