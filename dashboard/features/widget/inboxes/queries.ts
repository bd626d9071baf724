import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { conversations } from '#contract/conversations/conversations.ts'
import type { ClientEvent } from '#contract/events.ts'
import { type FirstAnswers, type Inbox, inboxes } from '#contract/widget/inboxes.ts'
import type { WorkingHours } from '#contract/widget/working-hours.ts'
import { call } from '../../../platform/http/api.ts'
import { ApiError } from '../../../platform/http/request.ts'

/** The editable fields of an inbox. */
export interface InboxText {
  name: string
  description: string
  /** Empty for the name of whoever wrote. */
  sender_name: string
  mail_signature: string
  /** Null for never. */
  rating_mail_hours: number | null
}

/** The fields of an inbox as a form shows them. */
export function textOf({ name, description, sender_name, mail_signature, rating_mail_hours }: Inbox): InboxText {
  return {
    name,
    description: description ?? '',
    sender_name: sender_name ?? '',
    mail_signature: mail_signature ?? '',
    rating_mail_hours,
  }
}

export const inboxesQuery = queryOptions({
  queryKey: ['inboxes'],
  queryFn: async ({ signal }) => (await call(inboxes.list, { signal })).data,
})

/** One inbox. What the list knows of it is shown while it loads. */
export function inboxQuery(client: QueryClient, id: string) {
  return queryOptions({
    queryKey: [...inboxesQuery.queryKey, id],
    queryFn: async ({ signal }) => (await call(inboxes.get, { params: { id }, signal })).data,
    placeholderData: () => client.getQueryData(inboxesQuery.queryKey)?.find((inbox) => inbox.id === id),
    refetchOnMount: 'always',
  })
}

/** Creates an inbox. The server validates the fields. */
export async function createInbox(client: QueryClient, typed: InboxText): Promise<Inbox> {
  const { data } = await call(inboxes.create, { body: { inbox: fieldsOf(typed) } })
  storeInbox(client, data)
  return data
}

/** Changes the texts of an inbox. */
export async function updateInbox(client: QueryClient, id: string, typed: InboxText): Promise<void> {
  const { data } = await call(inboxes.update, { params: { id }, body: { inbox: fieldsOf(typed) } })
  storeInbox(client, data)
}

/** Gives an inbox hours of its own, or by null those of the account. */
export async function setInboxHours(client: QueryClient, id: string, working_hours: WorkingHours[] | null) {
  const { data } = await call(inboxes.update, { params: { id }, body: { inbox: { working_hours } } })
  storeInbox(client, data)
}

/** Sets when the assistant answers first in an inbox. */
export async function setFirstAnswers(client: QueryClient, id: string, first_answers: FirstAnswers) {
  const { data } = await call(inboxes.update, { params: { id }, body: { inbox: { first_answers } } })
  storeInbox(client, data)
}

function fieldsOf({ sender_name, mail_signature, ...rest }: InboxText) {
  return { ...rest, sender_name: sender_name.trim() || null, mail_signature: mail_signature.trim() || null }
}

/** Deletes an inbox after moving its conversations. Ignores that it was already deleted elsewhere. */
export async function deleteInbox(client: QueryClient, id: string, move_to: string | undefined): Promise<void> {
  try {
    await call(conversations.removeInbox, { params: { id }, query: { move_to } })
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
  dropInbox(client, id)
}

/** An admin added, changed or deleted an inbox. */
export function applyInboxEvent(client: QueryClient, event: ClientEvent) {
  if (event.event === 'inbox:updated') storeInbox(client, event.payload)
  if (event.event === 'inbox:deleted') dropInbox(client, event.payload.id)
}

function dropInbox(client: QueryClient, id: string) {
  client.setQueryData(inboxesQuery.queryKey, (list) => list?.filter((inbox) => inbox.id !== id))
}

function storeInbox(client: QueryClient, inbox: Inbox) {
  client.setQueryData(inboxQuery(client, inbox.id).queryKey, inbox)
  client.setQueryData(inboxesQuery.queryKey, (list) => list && [inbox, ...list.filter(({ id }) => id !== inbox.id)])
}
