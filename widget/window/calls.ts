import type { Conversation, ConversationRow } from '#contract/conversations.ts'
import type { CustomerClaims, VisitorSession } from '#contract/customers.ts'
import type { ClientEvent } from '#contract/events.ts'
import type { Message } from '#contract/messages.ts'
import type { Rating } from '#contract/ratings.ts'
import type { VisitorConversation } from '#contract/visitor-conversations.ts'
import type { WidgetSettings, WidgetTeam } from '#contract/widgets.ts'
import type { Step } from './outbox/outbox.ts'
import { type Outcome, request } from './request.ts'
import { describeBrowser } from './session/browser-info.ts'

export interface InboxRef {
  account_id: string
  inbox_id: string | undefined
}

export type Claims = Partial<Record<keyof CustomerClaims, unknown>>
type Data<Shape> = { data: Shape }

/** What a page of missed events answers. */
export interface Missed {
  data: ClientEvent[]
  cursor: string
  more: boolean
  reset: boolean
}

/** How the chat window of this inbox looks. Needs no session. */
export function getSettings({ account_id, inbox_id }: InboxRef) {
  return request<Data<WidgetSettings>>('/api/widget_settings', { query: { account_id, inbox_id } })
}

/** Who answers in this inbox, and how soon they usually do. Needs no session. */
export function getTeam({ account_id, inbox_id }: InboxRef) {
  return request<Data<WidgetTeam>>('/api/widget_team', { query: { account_id, inbox_id } })
}

/** The visitor's newest open conversations in this inbox, each with its newest messages. */
export function listConversations({ account_id, inbox_id }: InboxRef, token: string, customer_id: string) {
  const query = { customer_id, account_id, inbox_id }
  return request<Data<Conversation[]>>('/api/conversations/customer', { token, query })
}

/** All of the visitor's conversations in this inbox, each with its newest message alone. */
export function listOwn({ inbox_id }: InboxRef, token: string) {
  return request<Data<VisitorConversation[]>>('/api/visitor_conversations', { token, query: { inbox_id } })
}

export function rate(token: string, conversation_id: string, rating: { score: number; comment?: string }) {
  const path = `/api/conversations/${conversation_id}/rating`
  return request<Data<Rating>>(path, { method: 'POST', token, body: { rating } })
}

/** One page of messages, newest first: the newest, or those before a number. */
export function listMessages(token: string, conversation_id: string, before?: number) {
  return request<Data<Message[]> & { next: number | null }>('/api/messages', {
    token,
    query: { conversation_id, before },
  })
}

/** What was missed since a cursor; without one, where the log stands. */
export function listEvents(token: string, after?: string) {
  return request<Missed>('/api/events', { token, query: { after } })
}

/** Tells what the page knows of its visitor. */
export function updateCustomer(token: string, customer_id: string, metadata: Claims) {
  return request(`/api/customers/${customer_id}/metadata`, {
    method: 'PUT',
    token,
    body: { metadata: { ...describeBrowser(), ...metadata } },
  })
}

/** Ends a session for good: its visitor has left this browser to others. */
export function revokeSession(token: string) {
  return request('/api/visitor_sessions', { method: 'DELETE', token })
}

/** What the website has signed about the visitor, if it has. */
export interface Signed {
  token: () => string | undefined
  /** The server did not take it. */
  refuse: () => void
}

async function openSession(visitor_session: object, signed: Signed): Promise<Outcome> {
  const identity_token = signed.token()
  const body = { visitor_session: { ...visitor_session, identity_token } }
  const outcome = await request<Data<VisitorSession>>('/api/visitor_sessions', { method: 'POST', body })
  if (outcome.kind !== 'refused') return outcome
  // 403: this very session has ended.
  if (outcome.status === 403) return { kind: 'signed out' }
  if (!identity_token || !outcome.fields.some((field) => field.endsWith('identity_token'))) return outcome
  // What the visitor has to say goes all the same, and finds its way to them once a better token is here.
  signed.refuse()
  return openSession(visitor_session, signed)
}

/** Does one step of the outbox. The answer to a message is the stored message. */
export async function performStep(
  step: Step,
  { account_id, inbox_id }: InboxRef,
  claims: Claims,
  signed: Signed,
): Promise<Outcome> {
  const { token } = step
  if (step.kind === 'open session') {
    const customer = { ...describeBrowser(), ...claims }
    return openSession({ account_id, inbox_id, token, customer_id: step.customer_id, customer }, signed)
  }
  if (step.kind === 'start conversation') {
    const body = { conversation: { id: step.id, inbox_id } }
    return request<Data<ConversationRow>>('/api/conversations', { method: 'POST', token, body })
  }
  const { id, body, sent_at, files, metadata } = step.message
  const file_ids = files?.map((file) => file.id)
  const message = { id, body, sent_at, file_ids, metadata, conversation_id: step.conversation_id }
  return request<Data<Message>>('/api/messages', { method: 'POST', token, body: { message } })
}
