import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Delivery, deliveries } from '#contract/connections/deliveries.ts'
import { type InboundEvent, integrations } from '#contract/connections/integrations.ts'
import { type MailboxDraft, mailbox } from '#contract/integrations/mailbox.ts'
import { call } from '../../../platform/http/api.ts'
import { downloadOf } from '../../../platform/http/download.ts'
import { integrationKeys } from '../authorizations/keys.ts'

/** The mailbox of an inbox, or null. */
export const mailboxQuery = (inbox_id: string) =>
  queryOptions({
    queryKey: [...integrationKeys.list, 'mailbox', inbox_id],
    queryFn: async ({ signal }) => (await call(mailbox.get, { query: { inbox_id }, signal })).data,
    refetchOnMount: 'always',
  })

/** The folders of a mailbox, from its mail server. */
export const foldersQuery = (id: string) =>
  queryOptions({
    // A separate key, so that changes of a connection do not query the mail server again.
    queryKey: ['mailbox-folders', id],
    queryFn: async ({ signal }) => (await call(mailbox.folders, { params: { id }, signal })).data,
    retry: false,
    staleTime: 60_000,
  })

/** Outgoing deliveries of a connection in this state, newest first. */
export const unsentQuery = (authorization_id: string, state: Delivery['state']) =>
  infiniteQueryOptions({
    queryKey: [...integrationKeys.list, authorization_id, 'deliveries', state],
    queryFn: ({ pageParam: after, signal }) =>
      call(deliveries.list, { query: { authorization_id, state, ...(after && { after }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  })

/** Incoming events of a connection in this state, newest first. */
export const inboundQuery = (authorization_id: string, state: InboundEvent['state']) =>
  infiniteQueryOptions({
    queryKey: [...integrationKeys.list, authorization_id, 'inbound', state],
    queryFn: ({ pageParam: after, signal }) =>
      call(integrations.inboundEvents, { query: { authorization_id, state, ...(after && { after }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  })

const outdate = (client: QueryClient) => client.invalidateQueries({ queryKey: integrationKeys.list })

/** Connects the mailbox of an inbox, or changes its settings. */
export async function saveMailbox(client: QueryClient, authorization: MailboxDraft): Promise<void> {
  await call(mailbox.connect, { body: { authorization } })
  await outdate(client)
}

/** Disconnects. Pending deliveries are kept for the next connection, or discarded. */
export async function disconnect(client: QueryClient, id: string, discard: boolean): Promise<void> {
  await call(integrations.remove, { params: { id }, query: { discard: discard ? 'true' : 'false' } })
  await outdate(client)
}

/** Tests a connection. Throws with the other system's message. */
export async function testConnection(client: QueryClient, id: string): Promise<void> {
  await call(integrations.test, { params: { id } }).finally(() => outdate(client))
}

/** Downloads the original mail of an incoming event. */
export function downloadOriginal(id: string): Promise<void> {
  return downloadOf(integrations.inboundOriginal, { id }, `mail-${id}.eml`)
}

/** Incoming events of all connections that failed, the newest fifty. */
export const failedInboundQuery = queryOptions({
  queryKey: [...integrationKeys.list, 'inbound', 'failed'],
  queryFn: async ({ signal }) => (await call(integrations.inboundEvents, { query: { state: 'failed' }, signal })).data,
  refetchOnMount: 'always',
})

/** Processes an incoming event again. */
export async function retryInbound(client: QueryClient, id: string): Promise<void> {
  await call(integrations.retryInbound, { params: { id } })
  await outdate(client)
}

/** Retries or discards a delivery. */
export async function resolveDelivery(client: QueryClient, id: string, what: 'retry' | 'discard'): Promise<void> {
  await call(deliveries[what], { params: { id } })
  await Promise.all([outdate(client), client.invalidateQueries({ queryKey: integrationKeys.deliveries })])
}

/** Sends or discards deliveries that have waited for over a day. */
export async function resolveOldDeliveries(client: QueryClient, id: string, action: 'send' | 'discard'): Promise<void> {
  await call(deliveries.settleHeld, { params: { id }, body: { action } })
  await Promise.all([outdate(client), client.invalidateQueries({ queryKey: integrationKeys.deliveries })])
}
