import type { StoredFile } from '#contract/messages.ts'
import type { Outcome } from '../request.ts'

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
export interface Kept {
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

export const NOTHING_KEPT: Kept = { session: null, conversation: null, outbox: [] }

/**
 * The next call, and the data to store before it is made: if an id were sent but not stored, a repeat would create a
 * duplicate.
 */
export function planStep(kept: Kept, make: Maker): { kept: Kept; step: Step } | undefined {
  const message = kept.outbox.find(({ refused }) => !refused)
  // A known customer's session is opened before there is anything to send.
  if (!message && (!kept.session || kept.session.opened)) return undefined
  const session = kept.session ?? { token: make.newSecret(), customer_id: make.newId(), opened: false }
  const { token, customer_id } = session
  if (!session.opened) return { kept: { ...kept, session }, step: { kind: 'open session', token, customer_id } }
  if (!message) return undefined
  if (message.conversation_id) {
    return { kept, step: { kind: 'post message', token, conversation_id: message.conversation_id, message } }
  }
  const conversation = kept.conversation ?? { id: make.newId(), opened: false }
  const { id } = conversation
  if (!conversation.opened) return { kept: { ...kept, conversation }, step: { kind: 'start conversation', token, id } }
  return { kept, step: { kind: 'post message', token, conversation_id: id, message } }
}

/** The data to store after a call has succeeded or failed. */
export function settleStep(kept: Kept, step: Step, outcome: Outcome, make: Maker): Kept {
  if (outcome.kind === 'later') return kept
  // Compared by token, because another window may have started a new session meanwhile.
  if (kept.session?.token !== step.token) return kept
  if (outcome.kind === 'signed out') return endSession(kept)
  if (step.kind === 'open session') return settleSession(kept, outcome)
  if (step.kind === 'start conversation') return settleConversation(kept, step.id, outcome)
  return settleMessage(kept, step.message, outcome, make)
}

function settleSession(kept: Kept, outcome: Outcome): Kept {
  if (outcome.kind === 'done') {
    // The server answers with another customer if the website signed the identity of an existing one.
    const { data } = outcome.answer as { data?: { customer_id: string } }
    const customer_id = data?.customer_id ?? kept.session!.customer_id
    return { ...kept, session: { ...kept.session!, customer_id, opened: true } }
  }
  const isTaken =
    outcome.kind === 'refused' && outcome.fields.some((field) => /^(token|customer_id)$/.test(last(field)))
  return isTaken ? endSession(kept) : { ...refuseAll(kept), session: null }
}

function settleConversation(kept: Kept, id: string, outcome: Outcome): Kept {
  if (kept.conversation?.id !== id) return kept
  if (outcome.kind === 'done') return { ...kept, conversation: { id, opened: true } }
  if (outcome.kind !== 'refused') return kept
  if (outcome.status === 404) return endSession(kept)
  return outcome.fields.some((field) => last(field) === 'id') ? { ...kept, conversation: null } : refuseAll(kept)
}

function settleMessage(kept: Kept, { id, conversation_id }: Unsent, outcome: Outcome, make: Maker): Kept {
  if (outcome.kind === 'done') return { ...kept, outbox: kept.outbox.filter((unsent) => unsent.id !== id) }
  if (outcome.kind !== 'refused') return kept
  // The conversation no longer exists, so the message starts a new one.
  if (outcome.status === 404 || outcome.fields.some((field) => last(field) === 'conversation_id')) {
    return conversation_id ? change(kept, id, { conversation_id: undefined }) : { ...kept, conversation: null }
  }
  // The id was used in an earlier session that has ended, so the message gets a new one.
  const isTaken = outcome.fields.some((field) => last(field) === 'id')
  return change(kept, id, isTaken ? { id: make.newId() } : { refused: true })
}

export function addUnsent(kept: Kept, message: Unsent): Kept {
  return { ...kept, outbox: [...kept.outbox, message] }
}

/** Marks a refused message to be sent again. */
export function retryUnsent(kept: Kept, id: string): Kept {
  return change(kept, id, { refused: false })
}

/** Removes the session, and keeps unsent messages. */
export function endSession(kept: Kept): Kept {
  return { ...kept, session: null, conversation: null }
}

/** Stores the conversation that the server returned, or removes one that was closed meanwhile. */
export function adoptConversation(kept: Kept, id: string | null): Kept {
  if (id)
    return kept.conversation?.id === id && kept.conversation.opened
      ? kept
      : { ...kept, conversation: { id, opened: true } }
  // Unsent messages still go to the closed conversation, and reopen it.
  const isWaiting = kept.outbox.some(({ refused }) => !refused)
  return kept.conversation?.opened && !isWaiting ? { ...kept, conversation: null } : kept
}

/**
 * Switches to another conversation, or with null to a new one. Unsent messages stay with theirs. Does nothing while a
 * conversation is being created, because the server does not know its id yet.
 */
export function switchTo(kept: Kept, id: string | null): Kept {
  const { conversation, outbox } = kept
  if (outbox.some(({ refused }) => !refused) && !conversation?.opened) return kept
  return {
    ...kept,
    conversation: id ? { id, opened: true } : null,
    outbox: conversation ? outbox.map((unsent) => ({ conversation_id: conversation.id, ...unsent })) : outbox,
  }
}

function change(kept: Kept, id: string, changes: Partial<Unsent>): Kept {
  return { ...kept, outbox: kept.outbox.map((unsent) => (unsent.id === id ? { ...unsent, ...changes } : unsent)) }
}

function refuseAll(kept: Kept): Kept {
  return { ...kept, outbox: kept.outbox.map((unsent) => ({ ...unsent, refused: true })) }
}

/** The last part of a field name: both `visitor_session.token` and `token` occur. */
function last(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1)
}
