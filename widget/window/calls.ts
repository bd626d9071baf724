import type { VisitorChat, VisitorConversationRow } from '#contract/conversations/conversations.ts'
import type { VisitorMessage } from '#contract/conversations/messages.ts'
import type { Rating } from '#contract/conversations/ratings.ts'
import type { VisitorConversation } from '#contract/conversations/visitor-conversations.ts'
import type { CustomerClaims, VisitorSession } from '#contract/customers/customers.ts'
import type { VisitorEvent } from '#contract/visitor-events.ts'
import type { WidgetSettings, WidgetTeam } from '#contract/widget/widgets.ts'
import type { Step } from './outbox/outbox.ts'
import { type RequestOutcome, request } from './request.ts'
import { describeBrowser } from './session/browser-info.ts'

export interface InboxRef {
  account_id: string
  inbox_id: string | undefined
  /** From the team: what is written is a test. */
  test_token?: string | null
}

export type Claims = Partial<Record<keyof CustomerClaims, unknown>>
type Data<Shape> = { data: Shape }

/** A page of missed events. */
export interface Missed {
  data: VisitorEvent[]
  cursor: string
  more: boolean
  reset: boolean
}

/** The appearance of this inbox's chat window. Needs no session. */
export function getSettings({ account_id, inbox_id }: InboxRef) {
  return request<Data<WidgetSettings>>('/api/widget_settings', { query: { account_id, inbox_id } })
}

/** The agents of this inbox and their usual response time. Needs no session. */
export function getTeam({ account_id, inbox_id }: InboxRef) {
  return request<Data<WidgetTeam>>('/api/widget_team', { query: { account_id, inbox_id } })
}

/** The visitor's newest open conversations in this inbox, each with its newest messages. */
export function listConversations({ account_id, inbox_id }: InboxRef, token: string, customer_id: string) {
  const query = { customer_id, account_id, inbox_id }
  return request<Data<VisitorChat[]>>('/api/conversations/customer', { token, query })
}

/** All of the visitor's conversations in this inbox, each with only its newest message. */
export function listOwn({ inbox_id }: InboxRef, token: string) {
  return request<Data<VisitorConversation[]>>('/api/visitor_conversations', { token, query: { inbox_id } })
}

export function rate(token: string, conversation_id: string, rating: { score: number; comment?: string }) {
  const path = `/api/conversations/${conversation_id}/rating`
  return request<Data<Rating>>(path, { method: 'POST', token, body: { rating } })
}

/** One page of messages, newest first: the newest page, or the one before a message number. */
export function listMessages(token: string, conversation_id: string, before?: number) {
  return request<Data<VisitorMessage[]> & { next: number | null }>('/api/messages', {
    token,
    query: { conversation_id, before },
  })
}

/** Events after a cursor; without one, only the current cursor. */
export function listEvents(token: string, after?: string) {
  return request<Missed>('/api/events', { token, query: { after } })
}

/** Sends what is known about the visitor. */
export function updateCustomer(token: string, customer_id: string, metadata: Claims) {
  return request(`/api/customers/${customer_id}/metadata`, {
    method: 'PUT',
    token,
    body: { metadata: { ...describeBrowser(), ...metadata } },
  })
}

/** Ends a session for good, because its visitor has signed out of this browser. */
export function revokeSession(token: string) {
  return request('/api/visitor_sessions', { method: 'DELETE', token })
}

/** The identity token that the website has signed, if any. */
export interface Signed {
  token: () => string | undefined
  /** Called when the server refuses the token. */
  refuse: () => void
}

async function openSession(visitor_session: object, signed: Signed): Promise<RequestOutcome> {
  const identity_token = signed.token()
  const body = { visitor_session: { ...visitor_session, identity_token } }
  const outcome = await request<Data<VisitorSession>>('/api/visitor_sessions', { method: 'POST', body })
  if (outcome.kind !== 'refused') return outcome
  // 403: this session has ended.
  if (outcome.status === 403) return { kind: 'signed out' }
  if (!identity_token || !outcome.fields.some((field) => field.endsWith('identity_token'))) return outcome
  // The messages are sent anyway, as an anonymous visitor, who is linked to the customer once a valid token comes.
  signed.refuse()
  return openSession(visitor_session, signed)
}

/** Performs one step of the outbox. For a message the result is the stored message. */
export async function performStep(
  step: Step,
  { account_id, inbox_id, test_token }: InboxRef,
  claims: Claims,
  signed: Signed,
): Promise<RequestOutcome> {
  const { token } = step
  if (step.kind === 'open session') {
    const customer = { ...describeBrowser(), ...claims }
    return openSession({ account_id, inbox_id, test_token, token, customer_id: step.customer_id, customer }, signed)
  }
  if (step.kind === 'start conversation') {
    const body = { conversation: { id: step.id, inbox_id } }
    return request<Data<VisitorConversationRow>>('/api/conversations', { method: 'POST', token, body })
  }
  const { id, body, sent_at, files, metadata } = step.message
  const file_ids = files?.map((file) => file.id)
  const message = { id, body, sent_at, file_ids, metadata, conversation_id: step.conversation_id }
  return request<Data<VisitorMessage>>('/api/messages', { method: 'POST', token, body: { message } })
}
