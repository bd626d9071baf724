import * as z from 'zod/mini'
import { FilledText, Id } from '../wire.ts'
import { ConversationStatus, Priority } from './conversations.ts'

/** A month. */
const LONGEST_SNOOZE_MINUTES = 44_640

// What rules and macros do to a conversation. An entry here, one in the server's table and one in the form are all that a
// new action needs.

const UserIds = z.array(z.int32()).check(z.minLength(1), z.maxLength(20))

/** One action on a conversation. */
export const ConversationAction = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('assign'),
    user_id: z.nullable(z.int32()).check(z.describe('Null assigns nobody.')),
  }),
  z.object({ action: z.literal('add_tag'), tag_id: Id }),
  z.object({ action: z.literal('remove_tag'), tag_id: Id }),
  z.object({ action: z.literal('set_priority'), priority: Priority }),
  z.object({ action: z.literal('set_status'), status: ConversationStatus }),
  z.object({
    action: z.literal('snooze'),
    minutes: z
      .nullable(z.int32().check(z.gte(1), z.lte(LONGEST_SNOOZE_MINUTES)))
      .check(z.describe('Null snoozes until the customer writes.')),
  }),
  z.object({ action: z.literal('add_note'), body: FilledText(5000) }),
  z.object({
    action: z.literal('notify'),
    user_ids: UserIds.check(z.describe('Users who are mentioned in a note.')),
    body: FilledText(1000),
  }),
  z.object({
    action: z.literal('answer'),
    body: FilledText(5000).check(z.describe('What the customer is sent.')),
  }),
])
export type ConversationAction = z.output<typeof ConversationAction>
export type ConversationActionName = ConversationAction['action']

/** Actions of a rule or macro, in the order in which they are done. */
export const ConversationActions = z.array(ConversationAction).check(z.maxLength(20))
