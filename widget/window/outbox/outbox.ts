import type { StoredFile } from '#contract/messages.ts'
import type { Outcome } from '../request.ts'

/** A message that the server has not acknowledged. */
export interface Unsent {
  id: string
  body: string
  sent_at: string
  /** What is attached, on the server already. */
  files?: StoredFile[]
  metadata?: Record<string, unknown>
  /** Where it belongs, when the visitor has turned to another conversation since. */
  conversation_id?: string
  /** The server said no; it is sent again only when the visitor asks. */
  refused?: boolean
}

/** What the browser keeps between visits. Everything in it was made here before the server was told of it. */
export interface Kept {
  session: { token: string; customer_id: string; opened: boolean } | null
  conversation: { id: string; opened: boolean } | null
  outbox: Unsent[]
}

/** One call to the server. Each may be repeated without harm, since it carries its own ids. */
export type Step =
  | { kind: 'open session'; token: string; customer_id: string }
  | { kind: 'start conversation'; token: string; id: string }
  | { kind: 'post message'; token: string; conversation_id: string; message: Unsent }

export interface Maker {
  newId: () => string
  newSecret: () => string
}

export const NOTHING_KEPT: Kept = { session: null, conversation: null, outbox: [] }

/** What to do next, and what must be in storage before it is done: an id that was sent but forgotten would send twice. */
export function planStep(kept: Kept, make: Maker): { kept: Kept; step: Step } | undefined {
  const message = kept.outbox.find(({ refused }) => !refused)
  // A session may be wanted before there is anything to say: its visitor is known elsewhere.
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

/** What is kept once the server has answered a step, or has not. */
export function settleStep(kept: Kept, step: Step, outcome: Outcome, make: Maker): Kept {
  if (outcome.kind === 'later') return kept
  // The session is named by its token: another window may have begun a new one meanwhile.
  if (kept.session?.token !== step.token) return kept
  if (outcome.kind === 'signed out') return endSession(kept)
  if (step.kind === 'open session') return settleSession(kept, outcome)
  if (step.kind === 'start conversation') return settleConversation(kept, step.id, outcome)
  return settleMessage(kept, step.message, outcome, make)
}

function settleSession(kept: Kept, outcome: Outcome): Kept {
  if (outcome.kind === 'done') {
    // Another customer than was asked for: the website vouched for somebody who is known already.
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
  // The conversation is gone, so the words open a new one.
  if (outcome.status === 404 || outcome.fields.some((field) => last(field) === 'conversation_id')) {
    return conversation_id ? change(kept, id, { conversation_id: undefined }) : { ...kept, conversation: null }
  }
  // The words were stored under an earlier session that has ended. Here they are news.
  const isTaken = outcome.fields.some((field) => last(field) === 'id')
  return change(kept, id, isTaken ? { id: make.newId() } : { refused: true })
}

/** Puts words at the end of the outbox. */
export function addUnsent(kept: Kept, message: Unsent): Kept {
  return { ...kept, outbox: [...kept.outbox, message] }
}

/** The visitor asks to send a refused message again. */
export function retryUnsent(kept: Kept, id: string): Kept {
  return change(kept, id, { refused: false })
}

/** Forgets who the visitor was, and keeps what they have not managed to say. */
export function endSession(kept: Kept): Kept {
  return { ...kept, session: null, conversation: null }
}

/** Takes over the conversation that the server knows, or forgets one that was closed while nobody was here. */
export function adoptConversation(kept: Kept, id: string | null): Kept {
  if (id)
    return kept.conversation?.id === id && kept.conversation.opened
      ? kept
      : { ...kept, conversation: { id, opened: true } }
  // Waiting words still go to the conversation they were written in, and reopen it.
  const isWaiting = kept.outbox.some(({ refused }) => !refused)
  return kept.conversation?.opened && !isWaiting ? { ...kept, conversation: null } : kept
}

/**
 * Turns to another conversation, or with null to one that the next words open. Waiting words stay with the one they were
 * written in. While that is about to be opened there is no turning: the server does not know it yet.
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

/** Fields come as `visitor_session.token` or `token`. */
function last(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1)
}
