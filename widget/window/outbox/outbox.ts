import type { StoredFile } from '#contract/conversations/messages.ts'
import type { RequestOutcome } from '../request.ts'

/** A message that the server has not acknowledged. */
export interface Unsent {
  id: string
  body: string
  sent_at: string
  /** Attachments, already uploaded. */
  files?: StoredFile[]
  metadata?: Record<string, unknown>
  /** Its conversation, if the visitor has switched to another one since. */
  conversation_id?: string
  /** The server refused it; it is sent again only on request. */
  refused?: boolean
}

/** The data that the browser stores between visits. All ids in it are created here, before the server knows them. */
export interface VisitorData {
  session: { token: string; customer_id: string; opened: boolean } | null
  conversation: { id: string; opened: boolean } | null
  outbox: Unsent[]
}

/** One call to the server. Safe to repeat, because it carries its own ids. */
export type Step =
  | { kind: 'open session'; token: string; customer_id: string }
  | { kind: 'start conversation'; token: string; id: string }
  | { kind: 'post message'; token: string; conversation_id: string; message: Unsent }

export interface Maker {
  newId: () => string
  newSecret: () => string
}

export const NO_VISITOR_DATA: VisitorData = { session: null, conversation: null, outbox: [] }

/**
 * The next call, and the data to store before it is made: if an id were sent but not stored, a repeat would create a
 * duplicate.
 */
export function planStep(stored: VisitorData, make: Maker): { stored: VisitorData; step: Step } | undefined {
  const message = stored.outbox.find(({ refused }) => !refused)
  // A known customer's session is opened before there is anything to send.
  if (!message && (!stored.session || stored.session.opened)) return undefined
  const session = stored.session ?? { token: make.newSecret(), customer_id: make.newId(), opened: false }
  const { token, customer_id } = session
  if (!session.opened) return { stored: { ...stored, session }, step: { kind: 'open session', token, customer_id } }
  if (!message) return undefined
  if (message.conversation_id) {
    return { stored, step: { kind: 'post message', token, conversation_id: message.conversation_id, message } }
  }
  const conversation = stored.conversation ?? { id: make.newId(), opened: false }
  const { id } = conversation
  if (!conversation.opened)
    return { stored: { ...stored, conversation }, step: { kind: 'start conversation', token, id } }
  return { stored, step: { kind: 'post message', token, conversation_id: id, message } }
}

/** The data to store after a call has succeeded or failed. */
export function resolveStep(stored: VisitorData, step: Step, outcome: RequestOutcome, make: Maker): VisitorData {
  if (outcome.kind === 'later') return stored
  // Compared by token, because another window may have started a new session meanwhile.
  if (stored.session?.token !== step.token) return stored
  if (outcome.kind === 'signed out') return endSession(stored)
  if (step.kind === 'open session') return resolveSession(stored, outcome)
  if (step.kind === 'start conversation') return resolveConversation(stored, step.id, outcome)
  return resolveMessage(stored, step.message, outcome, make)
}

function resolveSession(stored: VisitorData, outcome: RequestOutcome): VisitorData {
  if (outcome.kind === 'done') {
    // The server answers with another customer if the website signed the identity of an existing one.
    const { data } = outcome.answer as { data?: { customer_id: string } }
    const customer_id = data?.customer_id ?? stored.session!.customer_id
    return { ...stored, session: { ...stored.session!, customer_id, opened: true } }
  }
  const isTaken =
    outcome.kind === 'refused' && outcome.fields.some((field) => /^(token|customer_id)$/.test(last(field)))
  return isTaken ? endSession(stored) : { ...rejectAll(stored), session: null }
}

function resolveConversation(stored: VisitorData, id: string, outcome: RequestOutcome): VisitorData {
  if (stored.conversation?.id !== id) return stored
  if (outcome.kind === 'done') return { ...stored, conversation: { id, opened: true } }
  if (outcome.kind !== 'refused') return stored
  if (outcome.status === 404) return endSession(stored)
  return outcome.fields.some((field) => last(field) === 'id') ? { ...stored, conversation: null } : rejectAll(stored)
}

function resolveMessage(
  stored: VisitorData,
  { id, conversation_id }: Unsent,
  outcome: RequestOutcome,
  make: Maker,
): VisitorData {
  if (outcome.kind === 'done') return { ...stored, outbox: stored.outbox.filter((unsent) => unsent.id !== id) }
  if (outcome.kind !== 'refused') return stored
  // The conversation no longer exists, so the message starts a new one.
  if (outcome.status === 404 || outcome.fields.some((field) => last(field) === 'conversation_id')) {
    return conversation_id ? change(stored, id, { conversation_id: undefined }) : { ...stored, conversation: null }
  }
  // The id was used in an earlier session that has ended, so the message gets a new one.
  const isTaken = outcome.fields.some((field) => last(field) === 'id')
  return change(stored, id, isTaken ? { id: make.newId() } : { refused: true })
}

export function addUnsent(stored: VisitorData, message: Unsent): VisitorData {
  return { ...stored, outbox: [...stored.outbox, message] }
}

/** Marks a refused message to be sent again. */
export function retryUnsent(stored: VisitorData, id: string): VisitorData {
  return change(stored, id, { refused: false })
}

/** Removes the session, and keeps unsent messages. */
export function endSession(stored: VisitorData): VisitorData {
  return { ...stored, session: null, conversation: null }
}

/** Stores the conversation that the server returned, or removes one that was closed meanwhile. */
export function adoptConversation(stored: VisitorData, id: string | null): VisitorData {
  if (id)
    return stored.conversation?.id === id && stored.conversation.opened
      ? stored
      : { ...stored, conversation: { id, opened: true } }
  // Unsent messages still go to the closed conversation, and reopen it.
  const isWaiting = stored.outbox.some(({ refused }) => !refused)
  return stored.conversation?.opened && !isWaiting ? { ...stored, conversation: null } : stored
}

/**
 * Switches to another conversation, or with null to a new one. Unsent messages stay with theirs. Does nothing while a
 * conversation is being created, because the server does not know its id yet.
 */
export function switchTo(stored: VisitorData, id: string | null): VisitorData {
  const { conversation, outbox } = stored
  if (outbox.some(({ refused }) => !refused) && !conversation?.opened) return stored
  return {
    ...stored,
    conversation: id ? { id, opened: true } : null,
    outbox: conversation ? outbox.map((unsent) => ({ conversation_id: conversation.id, ...unsent })) : outbox,
  }
}

function change(stored: VisitorData, id: string, changes: Partial<Unsent>): VisitorData {
  return { ...stored, outbox: stored.outbox.map((unsent) => (unsent.id === id ? { ...unsent, ...changes } : unsent)) }
}

function rejectAll(stored: VisitorData): VisitorData {
  return { ...stored, outbox: stored.outbox.map((unsent) => ({ ...unsent, refused: true })) }
}

/** The last part of a field name: both `visitor_session.token` and `token` occur. */
function last(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1)
}
