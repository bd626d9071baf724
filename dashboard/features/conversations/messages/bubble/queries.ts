import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Delivery, deliveries } from '#contract/connections/deliveries.ts'
import { type MessageMail, messageMails } from '#contract/mail/message-mails.ts'
import { call } from '../../../../platform/http/api.ts'
import { refreshAfter } from '../../../../platform/http/refresh-after.ts'
import { integrationKeys } from '../../../connections/authorizations/keys.ts'

/** The deliveries of a conversation's messages to other systems. */
export function deliveriesQuery(conversation_id: string) {
  return queryOptions({
    queryKey: integrationKeys.deliveriesOf(conversation_id),
    queryFn: async ({ signal }) =>
      (await call(deliveries.ofConversation, { params: { conversation_id }, signal })).data,
    staleTime: 30_000,
  })
}

/** Why a reply would not reach the customer at the moment, or null. */
export function channelQuery(conversation_id: string) {
  return queryOptions({
    queryKey: [...integrationKeys.list, 'channel', conversation_id],
    queryFn: async ({ signal }) => (await call(deliveries.channel, { params: { conversation_id }, signal })).data,
    refetchOnMount: 'always',
  })
}

/** Retries or discards a delivery. */
export async function resolveDelivery(client: QueryClient, delivery: Delivery, what: 'retry' | 'discard') {
  await refreshAfter(
    call(deliveries[what], { params: { id: delivery.id } }),
    client,
    integrationKeys.deliveriesOf(delivery.conversation_id ?? ''),
  )
}

/** The email that a message came as. */
export async function fetchMail(message_id: string): Promise<MessageMail> {
  return (await call(messageMails.get, { params: { id: message_id } })).data
}
