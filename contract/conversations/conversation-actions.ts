import * as z from 'zod/mini'
import { AttributeInput } from '../customers/attributes.ts'
import { FilledText, Id } from '../wire.ts'
import { ConversationStatus, Priority } from './conversations.ts'

/** A month. */
const LONGEST_SNOOZE_MINUTES = 44_640

// What rules and macros do to a conversation. An entry here, one in the server's table and one in the form are all that a
// new action needs.

const ActionName = <const Name extends string>(name: Name) => z.literal(name).check(z.describe('What is done.'))
const UserIds = z.array(z.int32()).check(z.minLength(1), z.maxLength(20))

/** One action on a conversation. */
export const ConversationAction = z.discriminatedUnion('action', [
  z.object({
    action: ActionName('assign'),
    user_id: z.nullable(z.int32()).check(z.describe('Null assigns nobody.')),
  }),
  z.object({
    action: ActionName('set_team'),
    team_id: z.nullable(Id).check(z.describe('Null for no team.')),
  }),
  z.object({ action: ActionName('add_tag'), tag_id: Id }),
  z.object({ action: ActionName('remove_tag'), tag_id: Id }),
  z.object({
    action: ActionName('set_priority'),
    priority: Priority.check(z.describe('Whether it is in the priority list.')),
  }),
  z.object({ action: ActionName('set_status'), status: ConversationStatus.check(z.describe('`open` or `closed`.')) }),
  z.object({
    action: ActionName('snooze'),
    minutes: z
      .nullable(z.int32().check(z.gte(1), z.lte(LONGEST_SNOOZE_MINUTES)))
      .check(z.describe('Null snoozes until the customer writes.')),
  }),
  z.object({
    action: ActionName('set_attribute'),
    key: FilledText(100).check(z.describe('The key of an attribute of conversations.')),
    value: z.nullable(AttributeInput).check(z.describe('Null clears it.')),
  }),
  z.object({ action: ActionName('add_note'), body: FilledText(5000) }),
  z.object({
    action: ActionName('notify'),
    user_ids: UserIds.check(z.describe('Users who are mentioned in a note.')),
    body: FilledText(1000),
  }),
  z.object({
    action: ActionName('call_webhook'),
    webhook_id: Id.check(z.describe('A verified webhook, which is sent the conversation as `webhook:called`.')),
  }),
  z.object({
    action: ActionName('answer'),
    body: FilledText(5000).check(z.describe('What the customer is sent.')),
  }),
])
export type ConversationAction = z.output<typeof ConversationAction>
export type ConversationActionName = ConversationAction['action']

/** Actions of a rule or macro, in the order in which they are done. */
export const ConversationActions = z.array(ConversationAction).check(
  z.maxLength(20),
  z.meta({
    examples: [[{ action: 'set_priority', priority: 'priority' }]],
    description: 'What is done, in this order; answers last.',
  }),
)
