import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { FilledText, Id, Timestamp } from '../wire.ts'
import { ConversationAction, ConversationActions } from './conversation-actions.ts'
import { RuleCondition, RuleConditions } from './rule-conditions.ts'
import { RULE_TRIGGERS, RuleTrigger } from './rule-triggers.ts'

/** How many rules a company may have. */
export const MAX_RULES = 1000
/** How many conversations a rule is tried on. */
export const TRIED_CONVERSATIONS = 50

/** Why a rule was switched off, or stopped. */
export const RuleProblem = z.enum(['target', 'loop', 'chain'])
export type RuleProblem = z.output<typeof RuleProblem>

/** When something happens, if all conditions hold, do these actions. */
export const Rule = z.object({
  id: z.string(),
  object: z.literal('rule'),
  name: z.string(),
  position: z.int32().check(z.describe('Rules are examined in this order, from 1.')),
  is_on: z.boolean().check(z.describe('Whether it runs.')),
  trigger: RuleTrigger.check(z.describe('What starts it.')),
  conditions: RuleConditions,
  actions: ConversationActions,
  stops: z.boolean().check(z.describe('Whether no later rule is examined once this one matches.')),
  problem: z
    .nullable(RuleProblem)
    .check(
      z.describe(
        '`target`: something it names was deleted. `loop`: it and another rule undo each other; both were switched off. `chain`: too many rules led to it one after the other.',
      ),
    ),
  run_count: z.int32().check(z.describe('How often it ran within the last 30 days.')),
  last_run_at: z.nullable(Timestamp).check(z.describe('When it last ran within the last 30 days.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Rule = z.output<typeof Rule>

/** The fields of a rule that can be changed; those left out stay. */
export const RuleChanges = z.partial(
  z.object({
    name: FilledText(100),
    is_on: z.boolean().check(z.describe('Whether it runs.')),
    trigger: RuleTrigger.check(z.describe('What starts it.')),
    conditions: RuleConditions,
    actions: ConversationActions.check(z.minLength(1)),
    stops: z.boolean().check(z.describe('Whether no later rule is examined once this one matches.')),
  }),
)
export type RuleChanges = z.output<typeof RuleChanges>

/** Input of creating a rule. */
export const RuleDraft = z.extend(z.required(RuleChanges, { name: true, trigger: true, actions: true }), {
  is_on: z._default(z.boolean(), false).check(z.describe('Whether it runs.')),
  conditions: z._default(RuleConditions, []),
  stops: z._default(z.boolean(), false).check(z.describe('Whether no later rule is examined once this one matches.')),
})
export type RuleDraft = z.output<typeof RuleDraft>

/** What one action of a run did, or why it did nothing. */
export const RuleEffect = z.object({
  action: ConversationAction.check(z.describe('The action as it was then.')),
  outcome: z
    .enum(['done', 'unneeded', 'refused', 'held_back'])
    .check(z.describe('`unneeded`: it was so already. `held_back`: an answer that would have been one too many.')),
  reason: z.nullable(z.string()).check(z.describe('Why it was refused or held back, as a sentence.')),
})
export type RuleEffect = z.output<typeof RuleEffect>

const RuleId = z.string().check(z.describe('The rule’s id; it may be deleted by now.'))
const RuleName = z.string().check(z.describe('Its name at that time.'))

/** A rule that matched, and what came of it. */
const RuleRun = z.object({
  rule_id: RuleId,
  rule_name: RuleName,
  state: z
    .enum(['waiting', 'done', 'failed'])
    .check(z.describe('`waiting` for a moment; `failed` if an action was refused.')),
  effects: z.array(RuleEffect).check(z.describe('What its actions did.')),
})

/** A rule that did not match, and the first list of conditions of which none holds. Null: a rule before it stopped the list. */
const RuleMiss = z.object({
  rule_id: RuleId,
  rule_name: RuleName,
  failed: z.nullable(z.array(RuleCondition)).check(z.describe('Null: a rule before it ended the list.')),
})

/** Something that happened to a conversation, and what each rule made of it. */
export const RuleEvent = z.object({
  id: z.string(),
  trigger: z.enum(RULE_TRIGGERS).check(z.describe('What happened.')),
  created_at: Timestamp,
  caused_by_rule: z.nullable(z.string()).check(z.describe('The id of the rule that led to it.')),
  runs: z.array(RuleRun).check(z.describe('The rules that matched.')),
  misses: z.array(RuleMiss).check(z.describe('By the rules, texts and customer of today, and the state of then.')),
})
export type RuleEvent = z.output<typeof RuleEvent>

/** A conversation on which a rule was tried. */
export const RuleTrial = z.object({
  conversation_id: z.string(),
  title: z.string().check(z.describe('Whose conversation it is.')),
  preview: z.nullable(z.string()).check(z.describe('The beginning of the message.')),
  happened_at: Timestamp.check(z.describe('When the message was sent, or the conversation began.')),
  matches: z.boolean().check(z.describe('Whether the rule would have run.')),
  failed: z.nullable(z.array(RuleCondition)).check(z.describe('The first list of which none holds.')),
})
export type RuleTrial = z.output<typeof RuleTrial>

/** The rules of the account changed. */
export const rulesUpdated = defineEvent('rules:updated', {
  receivers: 'team',
  payload: { rules: z.object({ ids: z.array(z.string()).check(z.describe('Ids of the rules that changed.')) }) },
})

/** Calls about rules. */
export const rules = {
  list: endpoint('admin', 'GET', '/api/rules', {
    summary: 'Lists rules in the order in which they are examined.',
    answer: data(z.array(Rule)),
  }),
  create: endpoint('admin', 'POST', '/api/rules', {
    summary: 'Creates a rule, at the end of the list and switched off unless the body says otherwise.',
    body: z.object({ rule: RuleDraft }),
    answer: data(Rule),
    status: 201,
  }),
  get: endpoint('admin', 'GET', '/api/rules/:id', { summary: 'Returns a rule.', answer: data(Rule) }),
  update: endpoint('admin', 'PUT', '/api/rules/:id', {
    summary: 'Updates a rule, or switches it on or off. Switching on clears its problem.',
    body: z.object({ rule: RuleChanges }),
    answer: data(Rule),
  }),
  reorder: endpoint('admin', 'PUT', '/api/rules/order', {
    summary: 'Puts rules into this order. Rules that are not named stay behind them, in their order.',
    body: z.object({
      ids: z.array(Id).check(z.minLength(1), z.maxLength(MAX_RULES), z.describe('Ids of rules in the wanted order.')),
    }),
    answer: data(z.array(Rule)),
  }),
  remove: endpoint('admin', 'DELETE', '/api/rules/:id', {
    summary: 'Deletes a rule. What it did stays in its conversations.',
    answer: z.null(),
    status: 204,
  }),
  tryOut: endpoint('admin', 'POST', '/api/rules/try', {
    summary:
      'Evaluates an unsaved rule on the last conversations with such an event, as they are now. Changes nothing.',
    body: z.object({ rule: z.pick(RuleDraft, { trigger: true, conditions: true }) }),
    answer: data(z.array(RuleTrial)),
  }),
  ofConversation: endpoint('user', 'GET', '/api/conversations/:id/rule_events', {
    summary: 'Lists what happened to a conversation within 30 days, and what each rule made of it, newest first.',
    answer: data(z.array(RuleEvent)),
  }),
}
