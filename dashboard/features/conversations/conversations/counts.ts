import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { type ConversationRow, conversations, type UnreadCounts } from '#contract/conversations/conversations.ts'
import { call } from '../../../platform/http/api.ts'
import { applyToCounts } from './apply-events.ts'
import { type CountFilter, conversationKeys } from './keys.ts'

const KEY = conversationKeys.counts
const RECOUNT_MS = 2_000
/** Events in quick succession cause a single recount. */
const BREATH_MS = 200
/**
 * Counters updated from events can be off by one when an event and a count overlap, so they are refetched now and then.
 */
const RECONCILE_MS = 30_000

export const countsQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }): Promise<UnreadCounts> => {
    countedAt = Date.now()
    const { data } = await call(conversations.unread, { signal })
    // Without zeros, like the counters updated from events.
    const { conversations: counted, inboxes, totals } = data
    return {
      conversations: counted,
      inboxes: withoutZeros(inboxes),
      totals: { ...totals, inboxes: withoutZeros(totals.inboxes) },
    }
  },
})

/** The number of conversations; closed ones count as well unless `status` is open. */
export function countQuery(filter: CountFilter) {
  return queryOptions({
    queryKey: conversationKeys.count(filter),
    queryFn: async ({ signal }) => (await call(conversations.count, { query: filter, signal })).data.count,
    staleTime: 0,
  })
}

function withoutZeros(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}

const NOTHING: UnreadCounts = {
  conversations: { open: 0, unread: 0, assigned: 0, unassigned: 0, priority: 0, closed: 0, mentioned: 0 },
  inboxes: {},
  totals: {
    conversations: { open: 0, assigned: 0, unassigned: 0, priority: 0, snoozed: 0, closed: 0 },
    inboxes: {},
  },
}

/** Unread counts by bucket and inbox; zero until loaded. */
export function useCounts(): UnreadCounts {
  return useQuery(countsQuery).data ?? NOTHING
}

/** Updates the counters for one change; `before` is undefined for a new conversation. */
export function countChange(
  client: QueryClient,
  before: ConversationRow | undefined,
  after: ConversationRow,
  user_id: number,
) {
  const counts = client.getQueryData<UnreadCounts>(KEY)
  if (!counts) return
  const next = applyToCounts(counts, before, after, user_id)
  if (next === counts) return
  client.setQueryData(KEY, next)
  recountSoon(client, client.isFetching({ queryKey: KEY }) > 0 ? RECOUNT_MS : RECONCILE_MS)
}

let countedAt = 0
let due = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Refetches the counters, at most once every two seconds however often this is called. */
export function recountSoon(client: QueryClient, ms = RECOUNT_MS) {
  const next = Math.max(Date.now() + (ms === RECOUNT_MS ? BREATH_MS : ms), countedAt + RECOUNT_MS)
  if (timer && due <= next) return
  clearTimeout(timer)
  due = next
  timer = setTimeout(() => {
    timer = undefined
    client.invalidateQueries({ queryKey: KEY })
  }, next - Date.now())
}
