import type { ConversationAction } from '#contract/conversations/conversation-actions.ts'
import type { RuleConditions } from '#contract/conversations/rule-conditions.ts'
import type { RuleTrigger } from '#contract/conversations/rule-triggers.ts'
import type { RuleEvent } from '#contract/conversations/rules.ts'
import { rules } from '#contract/conversations/rules.ts'
import { type Callers, expect } from './fixture.ts'

/** A rule for a test: on, and about messages of customers unless it says otherwise. */
export interface TestRule {
  name?: string
  trigger?: RuleTrigger
  conditions?: RuleConditions
  actions: ConversationAction[]
  stops?: boolean
  is_on?: boolean
}

/** Creates a rule as Ada. */
export async function createRule(as: Callers, rule: TestRule) {
  const draft = { name: 'A rule', trigger: { on: 'customer_message' as const }, is_on: true, ...rule }
  return (await as.ada(rules.create, { body: { rule: draft } })).data
}

/** Deletes the rules of a test, so that the next one begins without any. */
export async function deleteRules(as: Callers): Promise<void> {
  for (const { id } of await listRules(as)) await as.ada(rules.remove, { params: { id } })
}

/** What happened to a conversation, newest first, once as many events are recorded and none is waiting. */
export async function eventsOf(as: Callers, id: string, count = 1): Promise<RuleEvent[]> {
  const read = async () => (await as.ada(rules.ofConversation, { params: { id } })).data
  const isSettled = (events: RuleEvent[]) =>
    events.length >= count && events.every(({ runs }) => runs.every(({ state }) => state !== 'waiting'))
  await expect.poll(async () => isSettled(await read()), { timeout: 15_000, interval: 50 }).toBe(true)
  return read()
}

/** The rules that a test has created. */
export async function listRules(as: Callers) {
  return (await as.ada(rules.list)).data.filter(({ name }) => !name.startsWith('Bystander'))
}
