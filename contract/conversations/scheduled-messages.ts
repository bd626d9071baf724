import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import {
  BooleanInput,
  FilledText,
  Id,
  IntegerBetween,
  IntegerInput,
  ifAny,
  maybe,
  NewId,
  Text,
  TimeInput,
  Timestamp,
} from '../wire.ts'
import { MailOptions, MESSAGE_BODY_LIMIT, SendAnyway, StoredFile } from './messages.ts'

/** Scheduled messages that a conversation can have at a time. */
export const SCHEDULED_LIMIT = 20
/** How far ahead a message can be scheduled, in days. */
export const SCHEDULED_DAYS = 366
/** The longest time for taking a sent reply back, in seconds. */
export const UNDO_SECONDS_LIMIT = 30
/** The longest wait for an answer before a reminder, in minutes. */
const REMIND_LIMIT = 366 * 24 * 60

/**
 * Why a scheduled message was not sent, and waits for a person: its customer wrote first (`answered`), no server ran at
 * its time (`late`), its author was disabled (`author`), the conversation was deleted or its customer blocked, nothing
 * can send mails (`mailbox`), the customer may have asked for no more messages (`possible_opt_out`), the installation was
 * restored from a backup (`restored`), a program suggested it (`suggested`), or another rule refused it.
 */
export const HeldReason = z.enum([
  'answered',
  'late',
  'author',
  'deleted',
  'blocked',
  'mailbox',
  'possible_opt_out',
  'restored',
  'suggested',
  'refused',
])
export type HeldReason = z.output<typeof HeldReason>

/** What happens if the customer writes before the message is sent. */
export const IfAnswered = z.enum(['hold', 'send'])

/** A reply that is sent later. It is no message until then: only the team knows of it. */
export const ScheduledMessage = z.object({
  id: z.string().check(z.describe('Also the id of the message that it becomes.')),
  object: z.literal('scheduled_message'),
  conversation_id: z.string(),
  user_id: z.int32().check(z.describe('Its author.')),
  body: z.string(),
  files: z.array(z.extend(StoredFile, { size: z.int().check(z.describe('In bytes.')) })),
  mail: z.nullable(MailOptions).check(z.describe('Recipients, subject and quotation of the mail.')),
  send_at: Timestamp.check(z.describe('When it is sent.')),
  is_undo: z
    .boolean()
    .check(z.describe('Whether it was sent, and its author can still take it back. Only they see it until then.')),
  if_answered: IfAnswered.check(z.describe('`hold` keeps it back if the customer writes before; `send` does not.')),
  closes: z.boolean().check(z.describe('Whether the conversation is closed once it is sent.')),
  remind_minutes: z
    .nullable(z.int32())
    .check(z.describe('Snoozes the conversation once it is sent, and brings it back after so long without an answer.')),
  last_seen_number: z.int32().check(z.describe('Number of the newest message that its author had seen.')),
  original_body: z.nullable(z.string()).check(z.describe('What its author wrote, if `body` is a translation of it.')),
  held_reason: z
    .nullable(HeldReason)
    .check(z.describe('Why it was not sent at its time; null while it waits for that.')),
  created_at: Timestamp,
})
export type ScheduledMessage = z.output<typeof ScheduledMessage>

const content = {
  body: maybe(Text(MESSAGE_BODY_LIMIT)),
  file_ids: maybe(z.array(Id).check(z.maxLength(20))).check(z.describe('Files that were uploaded for it, in order.')),
  mail: maybe(MailOptions).check(z.describe('Recipients, subject and quotation of the mail.')),
  send_at: ifAny(TimeInput).check(z.describe(`In the future, at most ${SCHEDULED_DAYS} days.`)),
  if_answered: ifAny(IfAnswered).check(
    z.describe('`hold`, the default, keeps it back if the customer writes before; `send` does not.'),
  ),
  closes: ifAny(BooleanInput).check(z.describe('Whether the conversation is closed once it is sent.')),
  remind_minutes: maybe(IntegerBetween(1, REMIND_LIMIT)).check(
    z.describe('Snoozes the conversation once it is sent, and brings it back after so long without an answer.'),
  ),
  last_seen_number: maybe(IntegerInput).check(
    z.describe('Number of the newest message the author has seen. If the customer wrote since, the answer is 409.'),
  ),
  send_anyway: SendAnyway,
  original_body: maybe(Text(MESSAGE_BODY_LIMIT)).check(
    z.describe('What its author wrote, if `body` is a translation of it. Only the team sees it.'),
  ),
}

/** Input of scheduling a message: either a time, or the seconds in which it can be taken back. */
export const ScheduledMessageDraft = z.object({
  id: ifAny(NewId).check(z.describe('Chosen by the sender; sending the same id again returns the stored one.')),
  conversation_id: Id,
  ...content,
  undo_seconds: maybe(IntegerBetween(0, UNDO_SECONDS_LIMIT)).check(
    z.describe('Instead of a time: sends it after so many seconds, in which it can be taken back.'),
  ),
})
export type ScheduledMessageDraft = z.output<typeof ScheduledMessageDraft>

/** Input of suggesting a reply. */
export const SuggestionDraft = z.object({
  id: ifAny(NewId).check(z.describe('Chosen by the sender; sending the same id again returns the stored one.')),
  conversation_id: Id,
  body: FilledText(MESSAGE_BODY_LIMIT),
  last_seen_number: IntegerInput.check(
    z.describe('Number of the newest message that it answers. If the customer wrote since, the answer is 409.'),
  ),
})
export type SuggestionDraft = z.output<typeof SuggestionDraft>

/** The fields of a scheduled message that can be changed; those left out stay. A new time also releases a held one. */
export const ScheduledMessageChanges = z.object(content)
export type ScheduledMessageChanges = z.output<typeof ScheduledMessageChanges>

/** A message was scheduled, changed, or held back. Not announced while its author can take it back. */
export const scheduledMessageUpdated = defineEvent('scheduled_message:updated', {
  receivers: 'team',
  payload: { scheduled_message: ScheduledMessage },
})

const Removed = z.object({ id: z.string(), conversation_id: z.string() })

/** A scheduled message was cancelled. One that is sent becomes a message with its id instead. */
export const scheduledMessageRemoved = defineEvent('scheduled_message:removed', {
  receivers: 'team',
  payload: { removed: Removed },
})

/** Calls about replies that are sent later, or can still be taken back. */
export const scheduledMessages = {
  list: endpoint('user', 'GET', '/api/scheduled_messages', {
    summary:
      'Lists the scheduled messages of a conversation, or the caller’s own, soonest first, at most 200. `all=true` lists those of everybody, for admins.',
    query: z.object({
      conversation_id: z.optional(Id),
      all: z.optional(BooleanInput).check(z.describe('Those of the whole team; only for admins.')),
    }),
    answer: data(z.array(ScheduledMessage)),
  }),
  create: endpoint('user', 'POST', '/api/scheduled_messages', {
    summary:
      'Schedules a reply, or sends one that can be taken back for some seconds. Returns 409 with the missed messages if last_seen_number is behind the customer.',
    body: z.object({ scheduled_message: ScheduledMessageDraft }),
    answer: data(ScheduledMessage),
    status: 201,
    limit: 'message',
  }),
  suggest: endpoint('user', 'POST', '/api/scheduled_messages/suggestions', {
    summary:
      'Puts a reply in front of the team, in the caller’s name. It is sent only once a person presses Send. Returns 409 with the missed messages if last_seen_number is behind the customer.',
    body: z.object({ suggestion: SuggestionDraft }),
    answer: data(ScheduledMessage),
    status: 201,
    limit: 'message',
  }),
  update: endpoint('user', 'PUT', '/api/scheduled_messages/:id', {
    summary: 'Changes text, files or time of an own scheduled message; admins may change any.',
    body: z.object({ scheduled_message: ScheduledMessageChanges }),
    answer: data(ScheduledMessage),
  }),
  send: endpoint('user', 'POST', '/api/scheduled_messages/:id/send', {
    summary: 'Sends an own scheduled message at once, in the caller’s name; admins may send any.',
    query: z.object({ send_anyway: SendAnyway }),
    answer: z.null(),
    status: 204,
  }),
  remove: endpoint('user', 'DELETE', '/api/scheduled_messages/:id', {
    summary:
      'Cancels an own scheduled message, or takes a sent one back, and returns it; admins may cancel any. 404 once it was sent.',
    answer: data(ScheduledMessage),
  }),
}
