import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type EventSubscription,
  eventSubscriptions,
  type WebhookDelivery,
  type WebhookEvent,
} from '#contract/developers/webhooks.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '../../../platform/http/api.ts'
import { ApiError } from '../../../platform/http/request.ts'

/** Deliveries change while the page is open, so it polls. */
const REFRESH_MS = 4_000

const keys = {
  list: ['webhooks'] as const,
  deliveries: (id: string) => ['webhooks', id, 'deliveries'] as const,
}

/** All webhooks, oldest first. */
export const webhooksQuery = queryOptions({
  queryKey: [...keys.list, 'all'],
  queryFn: async ({ signal }) => (await call(eventSubscriptions.list, { signal })).data,
  refetchOnMount: 'always',
})

/** One webhook with its state. */
export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.list, id, 'one'],
    queryFn: async ({ signal }) => (await call(eventSubscriptions.get, { params: { id }, signal })).data,
    refetchOnMount: 'always',
    refetchInterval: REFRESH_MS,
  })

export interface LogFilter {
  state?: WebhookDelivery['state'] | undefined
  event?: WebhookEvent | undefined
}

/** The log of a webhook, newest first. */
export const deliveriesQuery = (id: string, filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.deliveries(id), filter],
    queryFn: ({ pageParam, signal }) =>
      call(eventSubscriptions.deliveries, { params: { id }, query: { ...filter, after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: REFRESH_MS,
  })

/** One delivery with its body and all attempts. */
export const deliveryQuery = (id: string, delivery_id: string) =>
  queryOptions({
    queryKey: [...keys.deliveries(id), delivery_id],
    queryFn: async ({ signal }) =>
      (await call(eventSubscriptions.delivery, { params: { id, delivery_id }, signal })).data,
    refetchInterval: REFRESH_MS,
  })

interface Draft {
  webhook_url?: string
  events?: WebhookEvent[]
  is_enabled?: boolean
}

/** Adds a webhook, or changes the one with this id. */
export async function saveWebhook(client: QueryClient, id: string | undefined, draft: Draft): Promise<void> {
  const event_subscription = { ...draft, webhook_url: draft.webhook_url ?? '' }
  await (id
    ? call(eventSubscriptions.update, { params: { id }, body: { event_subscription: draft } })
    : call(eventSubscriptions.create, { body: { event_subscription } }))
  await client.invalidateQueries({ queryKey: keys.list })
}

/** Whether the program at an address confirms that it wants events. */
export async function verifyWebhook(url: string): Promise<Answer<typeof eventSubscriptions.verify>['data']> {
  return (await call(eventSubscriptions.verify, { body: { url } })).data
}

export async function removeWebhook(client: QueryClient, { id }: EventSubscription): Promise<void> {
  await call(eventSubscriptions.remove, { params: { id } }).catch((error) => {
    // It was already deleted elsewhere.
    if (!(error instanceof ApiError && error.status === 404)) throw error
  })
  client.setQueryData(webhooksQuery.queryKey, (webhooks) => webhooks?.filter((webhook) => webhook.id !== id))
}

export async function revealSecret(id: string): Promise<string> {
  return (await call(eventSubscriptions.reveal, { params: { id } })).data.secret
}

export async function rotateSecret(id: string): Promise<string> {
  return (await call(eventSubscriptions.rotate, { params: { id } })).data.secret
}

export async function resend(client: QueryClient, id: string, delivery_id: string): Promise<void> {
  await call(eventSubscriptions.resend, { params: { id, delivery_id } })
  await client.invalidateQueries({ queryKey: keys.deliveries(id) })
}

/** Resends everything since a time, and returns the number of deliveries. */
export async function resendSince(client: QueryClient, id: string, since: string): Promise<number> {
  const { data } = await call(eventSubscriptions.resendSince, { params: { id }, body: { since } })
  await client.invalidateQueries({ queryKey: keys.deliveries(id) })
  return data.count
}
