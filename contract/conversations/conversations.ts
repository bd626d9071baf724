import * as z from 'zod/mini'
import { User } from '../accounts/users.ts'
import { AttributeValues } from '../customers/attributes.ts'
import { Customer } from '../customers/customers.ts'
import { VisitorCustomer } from '../customers/visitor-customer.ts'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { InboxChoice } from '../widget/widgets.ts'
import {
  AccountId,
  BooleanInput,
  CountParameter,
  Id,
  IntegerInput,
  ifAny,
  Metadata,
  maybe,
  NewId,
  Text,
  TimeInput,
  Timestamp,
  UserOrNobody,
} from '../wire.ts'
import { MESSAGE_BODY_LIMIT, Message, VisitorMessage } from './messages.ts'
import { CONVERSATION_SOURCES } from './sources.ts'

/** Closed conversations open again when the customer writes. */
export const ConversationStatus = z.enum(['open', 'closed'])
/** Whether a conversation is in the priority list. */
export const Priority = z.enum(['not_priority', 'priority'])
/** What the team owes: the first answer, the answer to a later message, or closing the conversation. */
export const DeadlineKind = z.enum(['first_reply', 'next_reply', 'resolution'])
export type DeadlineKind = z.output<typeof DeadlineKind>
/**
 * Of a chat that the assistant answered first: whether it still does, helped, handed the chat over to a person, or the
 * customer wrote again after it had helped.
 */
export const AssistantState = z.enum(['answering', 'helped', 'handed_over', 'reopened'])
export type AssistantState = z.output<typeof AssistantState>
/** Where a conversation started; it stays when replies use another channel. */
export const ConversationSource = z.enum(CONVERSATION_SOURCES)

/** A tag of the account, with one of the named colours. */
export const Tag = z.object({
  id: z.string(),
  object: z.literal('tag'),
  name: z.string(),
  description: z.nullable(z.string()),
  color: z.nullable(z.string()).check(z.describe('`magenta`, `red`, `volcano`, `purple` or `blue`.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export type Tag = z.output<typeof Tag>

/** A user who was mentioned in a conversation, and whether they have seen it. */
export const Mention = z.object({
  id: z.string(),
  object: z.literal('mention'),
  account_id: z.string(),
  conversation_id: z.string(),
  message_id: z.string(),
  user_id: z.int32(),
  seen_at: z
    .nullable(Timestamp)
    .check(z.describe('When the mentioned user opened the conversation; null if they have not.')),
  created_at: Timestamp,
  user: z.nullable(User),
})

/** What a browser wrote before its visitor proved their identity: messages up to a number, and the claimed identity. */
export const UnprovenWords = z.object({
  up_to_number: z.int32().check(z.describe('Messages up to this number.')),
  claims: z.record(z.string(), z.unknown()).check(z.describe('The identity that the browser claimed.')),
})
export type UnprovenWords = z.output<typeof UnprovenWords>

/** Whom a conversation comes back to unless its customer answers. */
export const FollowUp = z.object({
  user_id: z.int32(),
  since: Timestamp.check(z.describe('Since when an answer is awaited.')),
})
export type FollowUp = z.output<typeof FollowUp>

/** The row alone, as in events and updates. */
export const ConversationRow = z.object({
  id: z.string(),
  object: z.literal('conversation'),
  account_id: z.string(),
  customer_id: z.string(),
  inbox_id: z.string(),
  assignee_id: z.nullable(z.int32()),
  team_id: z.nullable(z.string()).check(z.describe('The team that it belongs to; null for none.')),
  source: ConversationSource.check(z.describe('Where it started; it stays when replies use another channel.')),
  subject: z.nullable(z.string()),
  status: ConversationStatus.check(
    z.describe('`open` or `closed`. A closed conversation opens again when its customer writes.'),
  ),
  priority: Priority.check(z.describe('`priority` puts it into the priority list.')),
  read: z.boolean().check(z.describe('Whether the team has read its newest message.')),
  metadata: z
    .nullable(z.record(z.string(), z.unknown()))
    .check(z.describe('Any data of yours, as JSON. Parley only stores it.')),
  created_at: Timestamp,
  updated_at: Timestamp,
  last_activity_at: Timestamp.check(z.describe('Time of its newest message. Lists are sorted by it.')),
  closed_at: z.nullable(Timestamp).check(z.describe('When it was closed; null while it is open.')),
  closed_by_id: z.nullable(z.int32()).check(z.describe('Null while it is open, or if unknown.')),
  archived_at: z.nullable(Timestamp).check(z.describe('When it was deleted or merged; null if it was not.')),
  merged_into: z
    .nullable(z.string())
    .check(z.describe('Id of the conversation that has its messages since it was merged; null for most.')),
  first_replied_at: z.nullable(Timestamp).check(z.describe('When the team first replied; null if it has not.')),
  snoozed_at: z.nullable(Timestamp).check(z.describe('Since when it is snoozed; null if it is not.')),
  snoozed_until: z
    .nullable(Timestamp)
    .check(z.describe('When it wakes by itself. Null while snoozed means: when the customer replies.')),
  follow_up: z
    .optional(z.nullable(FollowUp))
    .check(z.describe('Whom it comes back to unless its customer answers. Stays after that, until somebody replies.')),
  reply_until: z
    .optional(z.nullable(Timestamp))
    .check(
      z.describe(
        'Until when its channel takes free text, because its customer has written. Null where they have not, or no time is set.',
      ),
    ),
  possible_opt_out_at: z
    .optional(z.nullable(Timestamp))
    .check(
      z.describe(
        'Since when its customer may have asked for no more messages. The next reply needs `send_anyway`, which ends it.',
      ),
    ),
  due_at: z.nullable(Timestamp).check(z.describe('When its next deadline ends; null if none is running.')),
  due_kind: z
    .nullable(DeadlineKind)
    .check(z.describe('What is due then. Without `due_at` it is paused; null if there is no deadline.')),
  due_started_at: z.nullable(Timestamp).check(z.describe('Since when that deadline has been running.')),
  assistant: z
    .optional(z.nullable(AssistantState))
    .check(
      z.describe(
        'Of a chat that the assistant answered first: `answering` until `helped` or `handed_over`, `reopened` if its customer wrote again. Null for others.',
      ),
    ),
  last_number: z.int32().check(z.describe('Number of its newest message, 0 if there is none yet.')),
  version: z
    .int32()
    .check(z.describe('Grows with every change: of two states, the one with the larger version is newer.')),
  unseen_mention_user_ids: z.array(z.int32()).check(z.describe('Mentioned users who have not looked yet.')),
  unproven: z
    .nullable(UnprovenWords)
    .check(
      z.describe(
        'What a browser wrote here before its visitor proved their identity; null for most. Only for the team.',
      ),
    ),
})
export type ConversationRow = z.output<typeof ConversationRow>

/**
 * The row as its customer, and the reader of a shared link, sees it. What is constant here is for the team; the keys are
 * there because published clients expect them.
 */
export const VisitorConversationRow = z.extend(
  z.pick(ConversationRow, {
    id: true,
    object: true,
    account_id: true,
    customer_id: true,
    inbox_id: true,
    assignee_id: true,
    source: true,
    subject: true,
    status: true,
    read: true,
    created_at: true,
    updated_at: true,
    last_activity_at: true,
    closed_at: true,
    closed_by_id: true,
    archived_at: true,
    first_replied_at: true,
    last_number: true,
    version: true,
  }),
  {
    priority: z.literal('not_priority'),
    metadata: z.null(),
    merged_into: z.null(),
    snoozed_at: z.null(),
    snoozed_until: z.null(),
    unseen_mention_user_ids: z.tuple([]),
    unproven: z.null(),
  },
)
export type VisitorConversationRow = z.output<typeof VisitorConversationRow>

/** An open chat as published clients read it. */
export const VisitorChat = z.extend(VisitorConversationRow, {
  customer: VisitorCustomer,
  messages: z.array(VisitorMessage),
  tags: z.tuple([]),
  mentions: z.tuple([]),
})
export type VisitorChat = z.output<typeof VisitorChat>

/** A conversation as shown to the team: its row with customer, tags and newest message. */
export const Conversation = z.extend(ConversationRow, {
  customer: Customer,
  messages: z.array(Message),
  tags: z.array(Tag),
  mentions: z.array(Mention),
})
export type Conversation = z.output<typeof Conversation>

/** One page of a list of conversations. */
export const ConversationPage = z.object({
  data: z.array(Conversation),
  next: z.nullable(z.string()).check(z.describe('Send it as `after` for the next page; null on the last one.')),
  previous: z.nullable(z.string()).check(z.describe('Always null; kept for published clients.')),
  limit: z.int32(),
  total: z
    .nullable(z.int32())
    .check(
      z.describe(
        'At most 10,000. Null with `messages=last`, whose clients use the unread counters instead, with `sort=due`, and in saved views.',
      ),
    ),
})

/** Number of conversations in each list, read or unread. */
export const ConversationTotals = z.object({
  conversations: z.object({
    open: z.int32().check(z.describe('Open ones; without snoozed ones, as everywhere here.')),
    assigned: z.int32().check(z.describe('Open ones assigned to the user.')),
    unassigned: z.int32().check(z.describe('Open ones assigned to nobody.')),
    priority: z.int32().check(z.describe('Open ones in the priority list.')),
    snoozed: z.int32(),
    closed: z.int32(),
  }),
  inboxes: z.record(z.string(), z.int32()).check(z.describe('By the inbox’s id.')),
})
export type ConversationTotals = z.output<typeof ConversationTotals>

/** Number of open unread conversations in each list, for the navigation, and the totals. */
export const UnreadCounts = z.object({
  conversations: z.object({
    open: z.int32().check(z.describe('Open ones; without snoozed ones, as everywhere here.')),
    unread: z.int32().check(z.describe('The same as `open`.')),
    assigned: z.int32().check(z.describe('Open ones assigned to the user.')),
    unassigned: z.int32().check(z.describe('Open ones assigned to nobody.')),
    priority: z.int32().check(z.describe('Open ones in the priority list.')),
    closed: z.int32(),
    mentioned: z.int32().check(z.describe('Open ones with a mention that the user has not seen.')),
  }),
  inboxes: z.record(z.string(), z.int32()).check(z.describe('By the inbox’s id.')),
  totals: ConversationTotals.check(z.describe('Read and unread ones together.')),
})
export type UnreadCounts = z.output<typeof UnreadCounts>

/** `me`, a user id, or empty for unassigned; other texts are ignored, as existing clients expect. */
const UserChoice = z.optional(
  z.pipe(
    z.union([z.null(), z.string(), z.number()]),
    z.transform((value: null | string | number): 'me' | 'nobody' | number | undefined => {
      if (value === null || value === '' || value === 'null') return 'nobody'
      if (value === 'me') return 'me'
      const id = Number(value)
      return Number.isInteger(id) && Math.abs(id) < 2 ** 31 ? id : undefined
    }),
  ),
)

/** Filters of a list; those left out match all. */
export const ConversationFilters = z.object({
  status: z
    .optional(ConversationStatus)
    .check(z.describe('`open` or `closed`. A closed conversation opens again when its customer writes.')),
  priority: z.optional(Priority).check(z.describe('Whether it is in the priority list.')),
  read: z.optional(BooleanInput).check(z.describe('Whether the team has read its newest message.')),
  assignee_id: UserChoice.check(z.describe('A user id, `me`, or empty for unassigned ones.')),
  mentioning: UserChoice.check(z.describe('A user id, or `me`: conversations that mention them.')),
  has_seen_mention: z
    .optional(BooleanInput)
    .check(z.describe('With `mentioning`: whether the user has seen the mention.')),
  customer_id: z.optional(Id),
  company_id: z.optional(Id).check(z.describe('The company of the customer.')),
  inbox_id: z.optional(Id),
  team_id: z.optional(Id).check(z.describe('The team that they belong to.')),
  source: z
    .optional(ConversationSource)
    .check(z.describe('Where it started; it stays when replies use another channel.')),
  tag_id: z.optional(Id),
  snoozed: z
    .optional(BooleanInput)
    .check(z.describe('If left out, snoozed or not, because old clients do not know it.')),
  is_due: z.optional(BooleanInput).check(z.describe('Whether a deadline is running.')),
  due_before: z.optional(TimeInput).check(z.describe('Only those with a deadline that ends until then.')),
  q: z.optional(Text(200)).check(z.describe('Words in name, address, subject or messages.')),
})
export type ConversationFilters = z.output<typeof ConversationFilters>

const TeamOnly = z.meta({ 'x-team-only': true, description: 'Ignored unless the team or an API key sends it.' })

/** Input of starting a conversation, for the team and API keys. */
export const ConversationDraft = z.object({
  id: ifAny(NewId),
  account_id: ifAny(AccountId),
  customer_id: maybe(Id),
  inbox_id: InboxChoice,
  source: ifAny(ConversationSource)
    .check(TeamOnly)
    .check(z.describe('Where it started; it stays when replies use another channel.')),
  subject: maybe(Text(1000)).check(TeamOnly),
  metadata: maybe(Metadata).check(TeamOnly),
  status: ifAny(ConversationStatus)
    .check(TeamOnly)
    .check(z.describe('`open` or `closed`. A closed conversation opens again when its customer writes.')),
  priority: ifAny(Priority).check(TeamOnly).check(z.describe('Whether it is in the priority list.')),
  assignee_id: ifAny(IntegerInput).check(TeamOnly),
  team_id: maybe(Id).check(TeamOnly).check(z.describe('By default the team of its inbox.')),
  message: maybe(
    z.object({
      id: ifAny(NewId),
      body: maybe(Text(MESSAGE_BODY_LIMIT)),
      sent_at: maybe(TimeInput).check(z.describe('When it was sent; null if it was not.')),
    }),
  ).check(z.describe('The first message.')),
})

/** Snoozes a conversation until a time or, with null, until its customer replies. */
export const Snooze = z.object({
  until: z.nullable(TimeInput).check(z.describe('Null means until the customer replies.')),
  follow_up: ifAny(BooleanInput).check(
    z.describe('With a time: it comes back to the caller with the reason that nobody answered.'),
  ),
})
export type Snooze = z.output<typeof Snooze>

/** The fields of a conversation that can be changed; those left out stay. */
export const ConversationChanges = z.object({
  status: z
    .optional(ConversationStatus)
    .check(z.describe('`open` or `closed`. A closed conversation opens again when its customer writes.')),
  priority: z.optional(Priority).check(z.describe('Whether it is in the priority list.')),
  read: z.optional(BooleanInput).check(z.describe('Whether the team has read its newest message.')),
  assignee_id: UserOrNobody,
  team_id: maybe(Id).check(
    z.describe('Null for none. A user who is not in the new team is unassigned, unless `assignee_id` is sent.'),
  ),
  inbox_id: z.optional(Id).check(z.describe('If another inbox has a team, the conversation belongs to that.')),
  subject: maybe(Text(1000)),
  metadata: maybe(Metadata),
  archived_at: maybe(TimeInput).check(z.describe('A time deletes the conversation; null restores it.')),
  snoozed: maybe(Snooze).check(z.describe('Null ends the snooze.')),
})
export type ConversationChanges = z.output<typeof ConversationChanges>

/** The same change for many conversations. */
export const ManyChanges = z.object({
  ids: z.array(Id).check(z.minLength(1), z.maxLength(200)).check(z.describe('Conversations to change.')),
  changes: z.optional(ConversationChanges).check(z.describe('As for one conversation.')),
  tag_id: z.optional(Id).check(z.describe('A tag to add to each of them.')),
})
export type ManyChanges = z.output<typeof ManyChanges>

/** The customer of a new conversation only receives its id. */
export const conversationCreated = defineEvent('conversation:created', {
  receivers: 'team and customer',
  payload: { conversation: Conversation },
  sends: z.object({ id: z.string(), conversation: z.optional(Conversation) }),
  as: ({ conversation }) => ({ id: conversation.id, conversation }),
})

/** The part of a change that its customer may see. */
export const ConversationStatusChanged = z.object({
  id: z.string(),
  status: ConversationStatus.check(z.describe('`open` or `closed`.')),
  closed_at: z.nullable(Timestamp).check(z.describe('When it was closed; null while it is open.')),
})

/** A conversation changed: status, assignee, team, priority, snooze, inbox or customer. */
export const conversationUpdated = defineEvent('conversation:updated', {
  receivers: 'team and customer',
  payload: {
    conversation: ConversationRow,
    before: z
      .optional(
        z.partial(
          z.pick(ConversationRow, {
            status: true,
            priority: true,
            assignee_id: true,
            team_id: true,
            inbox_id: true,
            assistant: true,
          }),
        ),
      )
      .check(z.describe('The previous values of those of these fields that changed. Nobody outside receives them.')),
  },
  sends: z.object({ id: z.string(), updates: ConversationRow }),
  as: ({ conversation }) => ({ id: conversation.id, updates: conversation }),
  customer: z.object({ event: z.literal('conversation:status'), payload: ConversationStatusChanged }),
})

const TagsChanged = z.object({ id: z.string(), tags: z.array(Tag) })

/** A conversation was given a tag, or lost one. */
export const conversationTagged = defineEvent('conversation:tagged', {
  receivers: 'team',
  payload: { conversation_id: z.string(), tags: z.array(Tag) },
  sends: TagsChanged,
  as: ({ conversation_id: id, tags }) => ({ id, tags }),
})

/** A customer was given a tag, or lost one. */
export const customerTagged = defineEvent('customer:tagged', {
  receivers: 'team',
  payload: { customer_id: z.string(), tags: z.array(Tag) },
  sends: TagsChanged,
  as: ({ customer_id: id, tags }) => ({ id, tags }),
})

/** Calls about conversations for the team; visitors have `visitorConversations`. */
export const conversations = {
  list: endpoint('user', 'GET', '/api/conversations', {
    for_functions: true,
    summary: 'Lists conversations, latest activity or most urgent deadline first, in pages of at most 50.',
    query: z.extend(ConversationFilters, {
      after: z.optional(Text(200)).check(z.describe('The `next` of the page before. Leave it out for the first page.')),
      limit: CountParameter,
      sort: z
        .optional(z.enum(['activity', 'due']))
        .check(z.describe('`due` lists open conversations with a running deadline, the most urgent first.')),
      messages: z
        .optional(z.enum(['last', 'all']))
        .check(
          z.describe(
            '`last` returns only the newest message of each, with at most 500 characters and no HTML; otherwise the newest 50.',
          ),
        ),
    }),
    answer: ConversationPage,
  }),
  count: endpoint('user', 'GET', '/api/conversations/count', {
    summary: 'Counts the matching conversations.',
    query: ConversationFilters,
    answer: data(z.object({ count: z.int32() })),
  }),
  unread: endpoint('user', 'GET', '/api/conversations/unread', {
    summary: 'Counts the unread conversations of each bucket and inbox. The counters are also directly under data.',
    answer: data(z.catchall(UnreadCounts, z.unknown())),
  }),
  ofCustomer: endpoint('anyone', 'GET', '/api/conversations/customer', {
    summary:
      'Lists the newest open chats of a customer, without private notes. A claimed customer requires its visitor token.',
    query: z.object({ customer_id: Id, account_id: AccountId, inbox_id: InboxChoice }),
    answer: data(z.array(VisitorChat)),
  }),
  get: endpoint('user', 'GET', '/api/conversations/:id', {
    for_functions: true,
    summary: 'Returns a conversation with its messages, up to 10,000. `messages=last` returns only the newest.',
    query: z.object({ messages: z.optional(z.enum(['last', 'all'])) }),
    answer: data(Conversation),
  }),
  create: endpoint('anyone', 'POST', '/api/conversations', {
    for_functions: true,
    summary:
      'Starts a conversation with a customer. Only users may set more than customer and inbox, including the first message.',
    body: z.object({ conversation: ConversationDraft }),
    answer: data(ConversationRow),
    visitor_answer: data(VisitorConversationRow),
    status: 201,
    limit: 'message',
  }),
  update: endpoint('user', 'PUT', '/api/conversations/:id', {
    for_functions: true,
    summary: 'Updates status, priority, assignee, team, inbox or the read mark, snoozes or wakes.',
    body: z.object({ conversation: ConversationChanges }),
    answer: data(ConversationRow),
  }),
  setAttributes: endpoint('user', 'PUT', '/api/conversations/:id/attributes', {
    for_functions: true,
    summary: 'Sets attributes of a conversation. Other attributes, and what else is in its metadata, stay as they are.',
    body: z.object({ attributes: AttributeValues }),
    answer: data(ConversationRow),
  }),
  updateMany: endpoint('user', 'POST', '/api/conversations/bulk', {
    summary: 'Updates up to 200 conversations in the same way. A refused one does not affect the others.',
    body: ManyChanges,
    answer: data(
      z.object({
        changed: z.array(ConversationRow).check(z.describe('The conversations that changed.')),
        refused: z.array(z.object({ id: z.string(), message: z.string() })),
      }),
    ),
  }),
  previous: endpoint('user', 'GET', '/api/conversations/:id/previous', {
    for_functions: true,
    summary: 'Returns the previous conversation of the same customer.',
    answer: data(z.nullable(Conversation)),
  }),
  related: endpoint('user', 'GET', '/api/conversations/:id/related', {
    summary: 'Lists other conversations of the same customer, newest first, each with its last message.',
    query: z.object({ limit: CountParameter }),
    answer: data(z.array(Conversation)),
  }),
  archive: endpoint('user', 'POST', '/api/conversations/:id/archive', {
    for_functions: true,
    summary: 'Archives a conversation: it is in no list any more.',
    answer: data(ConversationRow),
  }),
  remove: endpoint('user', 'DELETE', '/api/conversations/:id', {
    summary: 'Archives a conversation. Messages of customers are not deleted by this call.',
    answer: z.null(),
    status: 204,
  }),
  removeInbox: endpoint('admin', 'DELETE', '/api/inboxes/:id', {
    summary:
      'Deletes an inbox other than the primary one, and moves all its conversations to the inbox `move_to`, which an inbox with conversations requires. If it takes long, repeating the call continues it.',
    query: z.object({ move_to: z.optional(Id).check(z.describe('The inbox that gets the conversations.')) }),
    answer: z.null(),
    status: 204,
  }),
}
