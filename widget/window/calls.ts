import type { Conversation, ConversationRow } from '#contract/conversations.ts'
import type { CustomerClaims, VisitorSession } from '#contract/customers.ts'
import type { HeardEvent } from '#contract/events.ts'
import type { Message } from '#contract/messages.ts'
import type { WidgetSettings } from '#contract/widgets.ts'
import type { Step } from './outbox.ts'
import { type Outcome, request } from './request.ts'

export interface Place {
  account_id: string
  inbox_id: string | undefined
}

export type Claims = Partial<Record<keyof CustomerClaims, unknown>>
type Data<Shape> = { data: Shape }

/** What a page of missed events answers. */
export interface Missed {
  data: HeardEvent[]
  cursor: string
  more: boolean
  reset: boolean
}

/** How the chat window of this inbox looks. Needs no session. */
export function getSettings({ account_id, inbox_id }: Place) {
  return request<Data<WidgetSettings>>('/api/widget_settings', { query: { account_id, inbox_id } })
}

/** The visitor's newest open conversations in this inbox, each with its newest messages. */
export function listConversations({ account_id, inbox_id }: Place, token: string, customer_id: string) {
  const query = { customer_id, account_id, inbox_id }
  return request<Data<Conversation[]>>('/api/conversations/customer', { token, query })
}

/** One page of messages before a number, newest first. */
export function listMessages(token: string, conversation_id: string, before: number) {
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
  return request(`/api/customers/${customer_id}/metadata`, { method: 'PUT', token, body: { metadata } })
}

/** Does one step of the outbox. The answer to a message is the stored message. */
export async function performStep(step: Step, { account_id, inbox_id }: Place, claims: Claims): Promise<Outcome> {
  const { token } = step
  if (step.kind === 'open session') {
    const visitor_session = { account_id, inbox_id, token, customer_id: step.customer_id, customer: claims }
    const outcome = await request<Data<VisitorSession>>('/api/visitor_sessions', {
      method: 'POST',
      body: { visitor_session },
    })
    // 403: this very session has ended.
    return outcome.kind === 'refused' && outcome.status === 403 ? { kind: 'signed out' } : outcome
  }
  if (step.kind === 'start conversation') {
    const body = { conversation: { id: step.id, inbox_id } }
    return request<Data<ConversationRow>>('/api/conversations', { method: 'POST', token, body })
  }
  const { id, body, sent_at } = step.message
  const message = { id, body, sent_at, conversation_id: step.conversation_id }
  return request<Data<Message>>('/api/messages', { method: 'POST', token, body: { message } })
}
