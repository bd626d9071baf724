import { queryOptions } from '@tanstack/react-query'
import { messageMails } from '#contract/mail/message-mails.ts'
import { call } from '../../../../platform/http/api.ts'
import { mailKeys } from './keys.ts'

/** To whom the next reply goes if nobody else is chosen. */
export function recipientsQuery(conversation_id: string) {
  return queryOptions({
    queryKey: mailKeys.recipientsOf(conversation_id),
    queryFn: async ({ signal }) =>
      (await call(messageMails.recipients, { params: { id: conversation_id }, signal })).data,
  })
}

/** Authors and recipients of the mails in a conversation. */
export function mailsQuery(conversation_id: string) {
  return queryOptions({
    queryKey: mailKeys.listOf(conversation_id),
    queryFn: async ({ signal }) =>
      (await call(messageMails.ofConversation, { params: { id: conversation_id }, signal })).data,
    staleTime: 30_000,
  })
}

/** Moves a mail into a conversation of its sender, and returns that. */
export async function splitOff(message_id: string) {
  return (await call(messageMails.splitOff, { params: { id: message_id } })).data
}

/** Moves the mail of a conversation that was split off back, and returns the conversation it came from. */
export async function undoSplitOff(conversation_id: string) {
  const { data } = await call(messageMails.ofConversation, { params: { id: conversation_id } })
  return (await call(messageMails.undoSplitOff, { params: { id: data[0]?.message_id ?? '' } })).data
}
