import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type ConversationView,
  type ConversationViewDraft,
  conversationViews,
  type ViewFilter,
} from '#contract/conversations/views.ts'
import { call } from '../../../platform/http/api.ts'
import { viewKeys } from './keys.ts'

/** Counts change by time alone, too. */
const RECOUNT_MS = 60_000

/** Shared views, then one’s own, each in their order. */
export const viewsQuery = queryOptions({
  queryKey: viewKeys.all,
  queryFn: async ({ signal }) => (await call(conversationViews.list, { signal })).data,
})

/** The number of conversations by the id of the view; 100 stands for 100 or more. Not fetched while the tab is hidden. */
export const viewCountsQuery = queryOptions({
  queryKey: viewKeys.counts,
  queryFn: async ({ signal }) => {
    const { data } = await call(conversationViews.counts, { signal })
    return Object.fromEntries(data.map(({ id, count }) => [id, count]))
  },
  refetchInterval: RECOUNT_MS,
})

/** How many conversations an unsaved view would show. The last number stays while the next one is counted. */
export function matchingQuery(view: ViewFilter) {
  return queryOptions({
    queryKey: [...viewKeys.matching, view],
    queryFn: async ({ signal }) => (await call(conversationViews.count, { body: { view }, signal })).data.count,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

/** Creates a view, or changes the one with this id. */
export async function saveView(
  client: QueryClient,
  id: string | undefined,
  view: ConversationViewDraft,
): Promise<ConversationView> {
  const { data } = id
    ? await call(conversationViews.update, { params: { id }, body: { view } })
    : await call(conversationViews.create, { body: { view } })
  await reload(client)
  return data
}

export async function deleteView(client: QueryClient, id: string): Promise<void> {
  await call(conversationViews.remove, { params: { id } })
  await reload(client)
}

/** Moves a view by one up or down among the shared ones, or among one’s own; at once on screen. */
export async function moveView(client: QueryClient, view: ConversationView, step: -1 | 1): Promise<void> {
  const all = client.getQueryData(viewsQuery.queryKey) ?? []
  const isInList = ({ is_personal }: ConversationView) => is_personal === view.is_personal
  const list = all.filter(isInList)
  const to = list.findIndex(({ id }) => id === view.id) + step
  const remaining = list.filter(({ id }) => id !== view.id)
  const order = [...remaining.slice(0, to), view, ...remaining.slice(to)]
  const others = all.filter((other) => !isInList(other))
  client.setQueryData(viewsQuery.queryKey, view.is_personal ? [...others, ...order] : [...order, ...others])
  try {
    await call(conversationViews.reorder, { body: { ids: order.map(({ id }) => id) } })
  } finally {
    await client.invalidateQueries({ queryKey: viewKeys.all })
  }
}

async function reload(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: viewKeys.all }),
    client.invalidateQueries({ queryKey: viewKeys.counts }),
  ])
}
