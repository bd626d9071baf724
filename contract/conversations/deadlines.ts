import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { BooleanInput, FilledText, Id, IntegerBetween, maybe, Timestamp } from '../wire.ts'
import { DeadlineKind, Priority } from './conversations.ts'

/** Policies of an account. */
export const MAX_POLICIES = 50
/** A year, in minutes. */
const MAX_MINUTES = 527_040

const minutes = maybe(IntegerBetween(1, MAX_MINUTES))

/** What can be set of a policy. Fields left out of a change stay. */
export const DeadlinePolicyChanges = z.object({
  name: z.optional(FilledText(100)),
  is_active: z.optional(BooleanInput).check(z.describe('By default true.')),
  inbox_ids: z
    .optional(z.array(Id).check(z.maxLength(100)))
    .check(z.describe('Fits conversations of these inboxes; empty means all.')),
  tag_ids: z
    .optional(z.array(Id).check(z.maxLength(100)))
    .check(z.describe('Fits conversations with one of these tags; empty means all.')),
  priority: maybe(Priority).check(z.describe('Fits conversations of this priority; null means all.')),
  first_reply_minutes: minutes.check(z.describe('Until the first answer of a person; null for no deadline.')),
  next_reply_minutes: minutes.check(z.describe('Until the answer to a later message; null for no deadline.')),
  resolution_minutes: minutes.check(z.describe('Until it is closed; null for no deadline.')),
  in_working_hours: z
    .optional(BooleanInput)
    .check(z.describe('Whether only time within the working hours of the inbox counts. By default true.')),
  pauses_while_waiting: z
    .optional(BooleanInput)
    .check(z.describe('Whether the time to the resolution stops while the customer has to answer. By default true.')),
  warn_minutes: minutes.check(z.describe('The team is warned this long before; null for no warning.')),
})
export type DeadlinePolicyChanges = z.output<typeof DeadlinePolicyChanges>

/** A new policy. */
export const DeadlinePolicyDraft = z.extend(DeadlinePolicyChanges, { name: FilledText(100) })
export type DeadlinePolicyDraft = z.output<typeof DeadlinePolicyDraft>

/** A policy of the account. The first active one that fits a conversation applies. */
export const DeadlinePolicy = z.object({
  id: z.string(),
  object: z.literal('deadline_policy'),
  name: z.string(),
  is_active: z.boolean().check(z.describe('Whether it applies; those that are off are skipped.')),
  inbox_ids: z.array(z.string()).check(z.describe('Fits conversations of these inboxes; empty means all.')),
  tag_ids: z.array(z.string()).check(z.describe('Fits conversations with one of these tags; empty means all.')),
  priority: z.nullable(Priority).check(z.describe('Fits conversations of this priority; null means all.')),
  first_reply_minutes: z
    .nullable(z.int32())
    .check(z.describe('Until the first answer of a person; null for no deadline.')),
  next_reply_minutes: z
    .nullable(z.int32())
    .check(z.describe('Until the answer to a later message; null for no deadline.')),
  resolution_minutes: z.nullable(z.int32()).check(z.describe('Until it is closed; null for no deadline.')),
  in_working_hours: z.boolean().check(z.describe('Whether only time within the working hours of the inbox counts.')),
  pauses_while_waiting: z
    .boolean()
    .check(z.describe('Whether the time to the resolution stops while the customer has to answer.')),
  warn_minutes: z.nullable(z.int32()).check(z.describe('The team is warned this long before; null for no warning.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type DeadlinePolicy = z.output<typeof DeadlinePolicy>

/** What the team owes in a conversation, and until when. */
export const Deadline = z.object({
  id: z.string(),
  object: z.literal('deadline'),
  conversation_id: z.string(),
  kind: DeadlineKind,
  policy_id: z.nullable(z.string()).check(z.describe('The policy that asked for it, which may be deleted by now.')),
  policy_name: z.nullable(z.string()).check(z.describe('The name that its policy had.')),
  started_at: Timestamp.check(z.describe('When the customer wrote, or the conversation began.')),
  due_at: z.nullable(Timestamp).check(z.describe('Null while it is paused.')),
  is_paused: z.boolean().check(z.describe('Whether its time stands still: snoozed, or waiting for the customer.')),
  used_seconds: z.number().check(z.describe('The time that counts, until it was paused or ended last.')),
  warned_at: z.nullable(Timestamp).check(z.describe('When the team was warned; null if it was not.')),
  broken_at: z.nullable(Timestamp).check(z.describe('When it was missed; null if it was not.')),
  done_at: z.nullable(Timestamp).check(z.describe('When the team answered or closed, in time or late.')),
  cancelled_at: z.nullable(Timestamp).check(z.describe('When it no longer mattered, such as by deleting.')),
})
export type Deadline = z.output<typeof Deadline>

/** A deadline that comes close or was missed, and whom it concerns. */
export const DeadlineNotice = z.extend(Deadline, {
  assignee_id: z.nullable(z.int32()).check(z.describe('Null concerns the whole team.')),
  is_working_time: z.boolean().check(z.describe('Whether the team of the inbox works at this moment.')),
})
export type DeadlineNotice = z.output<typeof DeadlineNotice>

/** A policy was added, changed or deleted; null stands for the order of all. Clients fetch the list again. */
export const deadlinePoliciesUpdated = defineEvent('deadline_policies:updated', {
  receivers: 'team',
  payload: { policy_id: z.nullable(z.string()) },
  sends: z.object({ id: z.nullable(z.string()) }),
  as: ({ policy_id: id }) => ({ id }),
})

/** A deadline comes close. Announced once for each. */
export const deadlineWarned = defineEvent('deadline:warned', {
  receivers: 'team',
  payload: { deadline: DeadlineNotice },
})

/** A deadline was missed. Announced once for each. */
export const deadlineBroken = defineEvent('deadline:broken', {
  receivers: 'team',
  payload: { deadline: DeadlineNotice },
})

/** Calls about deadlines and their policies. */
export const deadlines = {
  listPolicies: endpoint('user', 'GET', '/api/deadline_policies', {
    summary: 'Lists the policies. The first active one that fits a conversation applies.',
    answer: data(z.array(DeadlinePolicy)),
  }),
  createPolicy: endpoint('admin', 'POST', '/api/deadline_policies', {
    summary: 'Adds a policy at the end of the list.',
    body: z.object({ policy: DeadlinePolicyDraft }),
    answer: data(DeadlinePolicy),
    status: 201,
  }),
  orderPolicies: endpoint('admin', 'PUT', '/api/deadline_policies/order', {
    summary: 'Puts the policies into the order of these ids. Those left out keep their order at the end.',
    body: z.object({
      ids: z.array(Id).check(z.maxLength(MAX_POLICIES), z.describe('Ids of policies in their new order.')),
    }),
    answer: data(z.array(DeadlinePolicy)),
  }),
  updatePolicy: endpoint('admin', 'PUT', '/api/deadline_policies/:id', {
    summary: 'Changes a policy. Deadlines that have not ended are calculated again.',
    body: z.object({ policy: DeadlinePolicyChanges }),
    answer: data(DeadlinePolicy),
  }),
  removePolicy: endpoint('admin', 'DELETE', '/api/deadline_policies/:id', {
    summary: 'Deletes a policy. The next one that fits applies to its conversations.',
    answer: z.null(),
    status: 204,
  }),
  ofConversation: endpoint('user', 'GET', '/api/conversations/:id/deadlines', {
    summary: 'Lists the deadlines of a conversation, the newest first, up to 50.',
    for_functions: true,
    answer: data(z.array(Deadline)),
  }),
}
