import type { ConversationRow } from '#contract/conversations/conversations.ts'
import type { Message } from '#contract/conversations/messages.ts'
import type { LoggedEvent } from '../../../feature.ts'
import {
  type DeadlineRow,
  endDeadline,
  isOpen,
  pauseOrResume,
  reopenDeadline,
  startDeadline,
  type Terms,
} from './timing.ts'

/** The events that start, pause and end deadlines. */
export const CONVERSATION_EVENTS = [
  'conversation:created',
  'conversation:updated',
  'conversation:tagged',
  'message:created',
  'message:deleted',
] as const
export type ConversationEvent = LoggedEvent<(typeof CONVERSATION_EVENTS)[number]>['event']

/** What is known of a conversation at the time of an event. */
export interface Facts {
  /** When its customer wrote last, as far as the messages were not deleted. */
  last_asked_at: string | null
  now: Date
  conversation: Pick<ConversationRow, 'account_id' | 'id' | 'created_at' | 'first_replied_at'>
  terms: Terms
}

/**
 * The deadlines of a conversation after an event. Times are those of the message or the change, so the result does not
 * depend on when the event is read.
 */
export function applyEvent(rows: DeadlineRow[], event: ConversationEvent, facts: Facts): DeadlineRow[] {
  if (event.type === 'message:deleted') return applyDeletion(rows, facts)
  if (event.type === 'conversation:created') return start(rows, 'resolution', event.conversation.created_at, facts)
  if (event.type === 'conversation:updated') return applyState(rows, event.conversation, facts.terms)
  if (event.type !== 'message:created' || event.message.private) return rows
  if (event.message.customer_id !== null) return applyCustomerMessage(rows, event.message, facts)
  if (event.message.type !== 'reply') return rows
  return applyReply(rows, event.message, facts.terms, event.is_opening === true)
}

/** The customer waits for the team: for a first reply, or for the next one, since the oldest unanswered message. */
function applyCustomerMessage(rows: DeadlineRow[], { number, created_at }: Message, facts: Facts): DeadlineRow[] {
  const { first_replied_at, created_at: began_at } = facts.conversation
  const resumed = setPauses(rows, { is_waiting: false }, created_at, facts.terms)
  if (first_replied_at !== null && first_replied_at < created_at) return start(resumed, 'next_reply', created_at, facts)
  return start(resumed, 'first_reply', number === 1 ? began_at : created_at, facts)
}

/** Nobody waits for the answer to a question that was deleted. */
function applyDeletion(rows: DeadlineRow[], { last_asked_at, conversation, now, terms }: Facts): DeadlineRow[] {
  // A first reply is owed since the conversation began, which is before its first message.
  const isAsked = ({ kind, started_at }: DeadlineRow) =>
    last_asked_at !== null &&
    (last_asked_at >= started_at || (kind === 'first_reply' && !conversation.first_replied_at))
  return rows.map((row) =>
    isOpen(row) && row.kind !== 'resolution' && !isAsked(row)
      ? endDeadline(row, 'cancelled_at', now.toISOString(), terms)
      : row,
  )
}

/** A person of the team answered: nothing is owed any more, and the customer's turn begins. */
function applyReply(rows: DeadlineRow[], { created_at }: Message, terms: Terms, isOpening: boolean): DeadlineRow[] {
  const answered = isOpening ? rows : endAll(rows, ['first_reply', 'next_reply'], 'done_at', created_at, terms)
  return setPauses(answered, { is_waiting: true }, created_at, terms)
}

/** The conversation was closed, deleted, reopened, snoozed or woken. */
function applyState(
  rows: DeadlineRow[],
  { status, closed_at, archived_at, snoozed_at, updated_at }: ConversationRow,
  terms: Terms,
): DeadlineRow[] {
  if (archived_at) return endAll(rows, ['first_reply', 'next_reply', 'resolution'], 'cancelled_at', archived_at, terms)
  if (status === 'closed') {
    const at = closed_at ?? updated_at
    const unanswered = endAll(rows, ['first_reply', 'next_reply'], 'cancelled_at', at, terms)
    return endAll(setPauses(unanswered, { is_snoozed: false }, at, terms), ['resolution'], 'done_at', at, terms)
  }
  const reopened = reopenResolution(rows, updated_at, terms)
  const is_snoozed = snoozed_at !== null
  return setPauses(reopened, { is_snoozed }, snoozed_at ?? updated_at, terms)
}

/** An open conversation whose resolution had ended was reopened or restored. */
function reopenResolution(rows: DeadlineRow[], at: string, terms: Terms): DeadlineRow[] {
  const ofResolution = rows.filter(({ kind }) => kind === 'resolution')
  if (ofResolution.some(isOpen)) return rows
  const ended = ofResolution.at(-1)
  return rows.map((row) => (row === ended ? reopenDeadline(row, at, terms) : row))
}

function start(rows: DeadlineRow[], kind: DeadlineRow['kind'], at: string, facts: Facts): DeadlineRow[] {
  if (rows.some((row) => row.kind === kind && isOpen(row))) return rows
  const { account_id, id: conversation_id } = facts.conversation
  return [...rows, startDeadline({ account_id, conversation_id }, kind, at, facts.terms)]
}

function setPauses(
  rows: DeadlineRow[],
  pauses: Partial<Pick<DeadlineRow, 'is_snoozed' | 'is_waiting'>>,
  at: string,
  terms: Terms,
): DeadlineRow[] {
  return rows.map((row) => (isOpen(row) ? pauseOrResume(row, pauses, at, terms) : row))
}

function endAll(
  rows: DeadlineRow[],
  kinds: DeadlineRow['kind'][],
  as: 'done_at' | 'cancelled_at',
  at: string,
  terms: Terms,
): DeadlineRow[] {
  return rows.map((row) => (isOpen(row) && kinds.includes(row.kind) ? endDeadline(row, as, at, terms) : row))
}
