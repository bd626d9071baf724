import * as z from 'zod/mini'
import { User, VisitorUser } from '../accounts/users.ts'
import { Customer } from '../customers/customers.ts'
import { VisitorCustomer } from '../customers/visitor-customer.ts'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import {
  BooleanInput,
  CountParameter,
  FilledText,
  Id,
  IntegerInput,
  ifAny,
  Metadata,
  maybe,
  NewId,
  Text,
  TimeInput,
  Timestamp,
} from '../wire.ts'
import { MESSAGE_SOURCES } from './sources.ts'

/** Maximum length of a message in characters. */
export const MESSAGE_BODY_LIMIT = 50_000
/** Messages per page of a thread. */
export const PAGE_SIZE = 50

/** The customer sees replies, only the team sees notes; `bot` messages are automatic. */
export const MessageType = z.enum(['reply', 'note', 'bot'])
/** The channel over which a message was received or sent. */
export const MessageSource = z.enum(MESSAGE_SOURCES)

/** A file attached to a message. */
export const StoredFile = z.object({
  id: z.string(),
  object: z.literal('file'),
  file_url: z.string().check(z.describe('Public URL with an id that cannot be guessed.')),
  content_type: z.string(),
  filename: z.string(),
  width: z
    .nullable(z.int32())
    .check(z.describe('Of a picture, in pixels; null for other files, and for old pictures.')),
  height: z.nullable(z.int32()).check(z.describe('Of a picture, in pixels.')),
})
export type StoredFile = z.output<typeof StoredFile>

/** A message with a form: a heading and buttons. */
export const MessageTemplate = z.object({
  header: maybe(
    z.object({
      type: z.optional(Text(50)).check(z.describe('Kind of heading.')),
      text: Text(1000).check(z.describe('The heading.')),
    }),
  ),
  buttons: maybe(
    z
      .array(
        z.object({
          type: z.optional(Text(50)).check(z.describe('Kind of button.')),
          text: Text(200).check(z.describe('Label of the button; choosing it sends this text.')),
        }),
      )
      .check(z.maxLength(20)),
  ),
})
export type MessageTemplate = z.output<typeof MessageTemplate>

/** A message as shown to the team; visitors get a `VisitorMessage`. */
export const Message = z.object({
  id: z.string(),
  object: z.literal('message'),
  account_id: z.string(),
  conversation_id: z.string(),
  number: z.int32().check(z.describe('Position in the conversation, from 1.')),
  body: z.nullable(z.string()),
  type: MessageType.check(z.describe('`reply`, `note` or `bot`.')),
  content_type: z.string(),
  private: z.boolean().check(z.describe('Whether only the team sees it.')),
  source: MessageSource.check(z.describe('The channel over which it was received or sent.')),
  created_at: Timestamp,
  sent_at: z.nullable(Timestamp).check(z.describe("When it was sent by the sender's clock, in whole seconds.")),
  seen_at: z.nullable(Timestamp).check(z.describe('When the other side first saw it; null if it has not.')),
  edited_at: z
    .nullable(Timestamp)
    .check(
      z.describe('When its text was last edited; usually null. Of two versions of a message the later one is current.'),
    ),
  customer_id: z.nullable(z.string()),
  user_id: z.nullable(z.int32()),
  metadata: z
    .nullable(z.record(z.string(), z.unknown()))
    .check(z.describe('Set by the sender. It never decides how a message looks.')),
  email_subject: z.nullable(z.string()).check(z.describe('Of a message received by mail; set by the server only.')),
  email_html: z.nullable(z.string()).check(z.describe('The HTML of a received mail, as it came.')),
  template: z.nullable(MessageTemplate).check(z.describe('A form: a heading and buttons.')),
  user: z.nullable(User),
  external_author: z
    .optional(z.string())
    .check(
      z.describe(
        "The name of an author without an account, who answered in Slack or Mattermost; set by the server only. `user` shows it, too: its id is the user's in whose name the message is counted.",
      ),
    ),
  by_assistant: z
    .optional(z.boolean())
    .check(z.describe('Present and true if the assistant wrote it; set by the server only.')),
  language: z
    .optional(z.string())
    .check(
      z.describe(
        'The language of its text, such as `de`, as the server recognises it; absent where that is not certain, as in short texts.',
      ),
    ),
  customer: z.optional(z.nullable(Customer)).check(z.describe('Present when the customer wrote it.')),
  attachments: z.array(StoredFile),
})
export type Message = z.output<typeof Message>

/** A file as visitors see it. */
export const VisitorFile = z.pick(StoredFile, {
  id: true,
  object: true,
  file_url: true,
  content_type: true,
  filename: true,
  width: true,
  height: true,
})

/** A message as its customer, and the reader of a shared link, sees it. Metadata is without keys that mean something to the team. */
export const VisitorMessage = z.extend(
  z.pick(Message, {
    id: true,
    object: true,
    account_id: true,
    conversation_id: true,
    number: true,
    body: true,
    type: true,
    content_type: true,
    private: true,
    source: true,
    created_at: true,
    sent_at: true,
    seen_at: true,
    edited_at: true,
    customer_id: true,
    user_id: true,
    metadata: true,
    email_subject: true,
    email_html: true,
    template: true,
    external_author: true,
    by_assistant: true,
  }),
  {
    user: z.nullable(VisitorUser),
    customer: z
      .optional(z.nullable(VisitorCustomer))
      .check(z.describe('In live events only: published clients recognise the echo of their own message by it.')),
    attachments: z.array(VisitorFile),
  },
)
export type VisitorMessage = z.output<typeof VisitorMessage>

/** Whether a user wrote it, and not somebody without an account in their name. */
export function isWrittenBy(user_id: number, message: Pick<Message, 'user_id' | 'external_author'>): boolean {
  return message.user_id === user_id && !message.external_author
}

/** The name and picture shown to customers where an inbox shows the company instead of people. */
export const CompanyProfile = z.object({
  name: z.string(),
  logo: z.nullable(z.string()).check(z.describe('The logo’s URL, for messages in the company’s name.')),
})
export type CompanyProfile = z.output<typeof CompanyProfile>

const Addresses = ifAny(z.array(FilledText(320)).check(z.maxLength(50)))

/**
 * How a reply is sent by mail. Recipients that are left out are chosen when it is sent: the customer, and the people in
 * copy of their mails.
 */
export const MailOptions = z.object({
  to: Addresses.check(z.describe('Addresses of the mail; those of the conversation by default.')),
  cc: Addresses.check(z.describe('Addresses that get a copy.')),
  bcc: Addresses.check(z.describe('Addresses that get a copy which the others do not see.')),
  subject: ifAny(FilledText(1000)),
  quote: ifAny(z.boolean()).check(
    z.describe('Whether the earlier mail is quoted below. If left out, only where nobody is new in the conversation.'),
  ),
})
export type MailOptions = z.output<typeof MailOptions>

/** Confirms a message to somebody who may have asked for no more of them. */
export const SendAnyway = ifAny(BooleanInput).check(
  z.describe(
    'Whether a person has decided to send it although the customer may have asked for no more messages. Without it, it is then refused with the reason `possible_opt_out`.',
  ),
)

/** Input of sending a message. */
export const MessageDraft = z.object({
  id: ifAny(NewId).check(z.describe('Chosen by the sender; sending the same id again returns the stored message.')),
  conversation_id: Id,
  body: maybe(Text(MESSAGE_BODY_LIMIT)),
  type: ifAny(MessageType).check(z.describe('`reply`, `note` or `bot`.')),
  private: ifAny(BooleanInput).check(z.describe('Whether only the team sees it.')),
  source: ifAny(MessageSource).check(z.describe('The channel over which it was received or sent.')),
  sent_at: maybe(TimeInput).check(z.describe('When it was sent by the sender’s clock.')),
  file_ids: maybe(z.array(Id).check(z.maxLength(20))).check(z.describe('Files that were uploaded for it, in order.')),
  metadata: maybe(Metadata),
  template: maybe(MessageTemplate).check(z.describe('A form: a heading and buttons.')),
  customer_id: maybe(Id).check(z.describe('The customer in whose name it is sent; only for the team and API keys.')),
  mentioned_user_ids: maybe(z.array(IntegerInput).check(z.maxLength(100))).check(
    z.describe('Users whom a note mentions; they are notified.'),
  ),
  last_seen_number: maybe(IntegerInput).check(
    z.describe('Number of the newest message the author has seen. If the customer wrote since, the answer is 409.'),
  ),
  mail: maybe(MailOptions).check(z.describe('Recipients, subject and quotation of the mail.')),
  send_anyway: SendAnyway,
  original_body: maybe(Text(MESSAGE_BODY_LIMIT)).check(
    z.describe(
      'What its author wrote, if `body` is a translation of it. Only the team sees it, among its translations.',
    ),
  ),
})
export type MessageDraft = z.output<typeof MessageDraft>

/** The fields of a message that can be changed. Type and privacy are fixed. */
export const MessageChanges = z.object({
  body: maybe(Text(MESSAGE_BODY_LIMIT)).check(z.describe('Words in the text.')),
  metadata: maybe(Metadata),
  type: ifAny(MessageType).check(z.describe('`reply`, `note` or `bot`.')),
  private: ifAny(BooleanInput).check(z.describe('Whether only the team sees it.')),
})
export type MessageChanges = z.output<typeof MessageChanges>

/** Authors may change and delete their own messages, admins all messages. */
export function mayChangeMessage(who: Pick<User, 'id' | 'role'>, { user_id }: Pick<Message, 'user_id'>): boolean {
  return who.role === 'admin' || who.id === user_id
}

/**
 * Published clients receive a new message as a `shout`. `is_opening`: the team started the conversation with it.
 * `is_received`: it arrived by mail, so whoever wrote it has sent it already.
 */
export const messageCreated = defineEvent('message:created', {
  receivers: 'team and customer',
  payload: {
    message: Message,
    customer_id: z.string(),
    company: z.optional(CompanyProfile),
    is_opening: z.optional(z.boolean()).check(z.describe('Whether it is the first of its conversation.')),
    is_received: z.optional(z.boolean()).check(z.describe('Whether it arrived by mail.')),
  },
  name: 'shout',
  sends: Message,
  as: ({ message }) => message,
})

/** The author edited the text of a message. */
export const messageUpdated = defineEvent('message:updated', {
  receivers: 'team and customer',
  payload: { message: Message, customer_id: z.string(), company: z.optional(CompanyProfile) },
  sends: Message,
  as: ({ message }) => message,
})

/** A message was deleted with text and files. Its number is not used again. */
export const MessageDeleted = z.object({
  id: z.string(),
  conversation_id: z.string(),
  number: z.int32().check(z.describe('Number of the newest message that was seen.')),
})

/** A message was deleted; its number is not used again. */
export const messageDeleted = defineEvent('message:deleted', {
  receivers: 'team and customer',
  payload: {
    message_id: z.string(),
    conversation_id: z.string(),
    number: z.int32().check(z.describe('Position in the conversation, from 1.')),
    private: z.boolean().check(z.describe('Whether only the team sees it.')),
    customer_id: z.string(),
  },
  sends: MessageDeleted,
  as: ({ message_id, conversation_id, number }) => ({ id: message_id, conversation_id, number }),
})

/** One side has read the other's messages up to this number: the customer (`seen`), or the team (`read`). */
export const MessagesSeen = z.object({
  conversation_id: z.string(),
  seen_at: Timestamp.check(z.describe('When the other side saw them.')),
  up_to_number: z.int32().check(z.describe('Messages up to this number.')),
})

const readReceipt = {
  receivers: 'team and customer',
  payload: { ...MessagesSeen.shape, customer_id: z.string() },
  sends: MessagesSeen,
  // Both sides receive it, because either may have other windows open.
  as: ({ customer_id, ...seen }: z.output<typeof MessagesSeen> & { customer_id: string }) => seen,
} as const

/** The customer has seen messages up to a number. */
export const messagesSeen = defineEvent('messages:seen', readReceipt)
/** The team has read messages up to a number. */
export const messagesRead = defineEvent('messages:read', readReceipt)

/** Calls about messages, for team and visitors. */
export const messages = {
  list: endpoint('user or visitor', 'GET', '/api/messages', {
    for_functions: true,
    summary:
      'Lists messages, newest first; with conversation_id in pages by number. Visitors may read their own conversations.',
    query: z.object({
      conversation_id: z.optional(Id),
      customer_id: z.optional(Id),
      user_id: z.optional(IntegerInput),
      source: z.optional(MessageSource).check(z.describe('Only messages of this channel.')),
      type: z.optional(MessageType).check(z.describe('Only messages of this kind.')),
      private: z.optional(BooleanInput).check(z.describe('`true` for private notes only, `false` for none.')),
      body: z.optional(Text(200)),
      before: z.optional(IntegerInput).check(z.describe('Only messages with a smaller number: the next older page.')),
      after: z
        .optional(IntegerInput)
        .check(z.describe('Only messages with a larger number: the next newer page. Needs conversation_id.')),
      around: z
        .optional(z.union([IntegerInput, z.literal('unread')]))
        .check(
          z.describe(
            'The page around this number, with as many newer as older ones, to open a thread at a search result. `unread` means the first unread message of the customer, or the newest if all are read. Needs conversation_id.',
          ),
        ),
      limit: CountParameter,
    }),
    answer: z.object({
      data: z.array(Message),
      next: z.nullable(z.int32()).check(z.describe('What to send as `before` for the older page.')),
      previous: z.nullable(z.int32()).check(z.describe('What to send as `after` for the newer page.')),
    }),
    visitor_answer: z.object({
      data: z.array(VisitorMessage),
      next: z.nullable(z.int()).check(z.describe('What to send as `before` for the older page.')),
      previous: z.nullable(z.int()).check(z.describe('What to send as `after` for the newer page.')),
    }),
  }),
  count: endpoint('user', 'GET', '/api/messages/count', {
    summary: 'Counts the messages of the account.',
    answer: data(z.object({ count: z.int32().check(z.describe('Number of messages.')) })),
  }),
  create: endpoint('user or visitor', 'POST', '/api/messages', {
    for_functions: true,
    summary: 'Sends a message. Returns 409 with the missed messages if last_seen_number is behind the customer.',
    body: z.object({ message: MessageDraft }),
    answer: data(Message),
    visitor_answer: data(VisitorMessage),
    status: 201,
    limit: 'message',
  }),
  get: endpoint('user', 'GET', '/api/messages/:id', {
    for_functions: true,
    summary: 'Returns a message.',
    answer: data(Message),
  }),
  update: endpoint('user', 'PUT', '/api/messages/:id', {
    for_functions: true,
    summary:
      'Updates body or metadata of an own message; admins may update any. Bodies of customers cannot be changed.',
    body: z.object({ message: MessageChanges }),
    answer: data(Message),
  }),
  remove: endpoint('user', 'DELETE', '/api/messages/:id', {
    summary:
      'Deletes an own message for everybody; admins may delete any. Its files are deleted, too, unless they are kept for another message.',
    query: z.object({
      keep_files: z.optional(z.enum(['true', 'false'])).check(z.describe('`true` keeps the files of the message.')),
    }),
    answer: z.null(),
    status: 204,
  }),
}
