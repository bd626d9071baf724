import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { conversations } from '#contract/conversations/conversations.ts'
import { merging } from '#contract/conversations/merging.ts'
import { call } from '../../../../platform/http/api.ts'
import { outdateThreadsOf } from '../thread.ts'
import { movesKey } from './keys.ts'

/** How many of the customer's other conversations are offered. */
const OFFERED = 30

/** The merges and splits of a conversation, latest first. */
export function movesQuery(id: string) {
  return queryOptions({
    queryKey: movesKey(id),
    queryFn: async ({ signal }) => (await call(merging.moves, { params: { id }, signal })).data,
  })
}

/** The conversations that can be merged into one. */
export function candidatesQuery(id: string) {
  return queryOptions({
    queryKey: [...movesKey(id), 'candidates'],
    queryFn: async ({ signal }) => {
      const query = { limit: OFFERED }
      return (await call(conversations.related, { params: { id }, query, signal })).data
    },
    staleTime: 0,
  })
}

/** Merges a conversation into another one. */
export async function mergeConversation(client: QueryClient, id: string, into_id: string): Promise<void> {
  await call(merging.merge, { params: { id }, body: { into_id } })
  await refreshMoved(client, [id, into_id])
}

/** Moves a message, or all from it on, into a new conversation. Returns the id of that one. */
export async function splitConversation(
  client: QueryClient,
  { id, conversation_id }: { id: string; conversation_id: string },
  range: 'one' | 'from_here',
): Promise<string> {
  const { data } = await call(merging.split, { params: { id }, body: { range } })
  await refreshMoved(client, [conversation_id, data.id])
  return data.id
}

/** Undoes the latest merge or split of a conversation. Returns the id of the one that has its messages back. */
export async function undoLatestMove(client: QueryClient, conversation_id: string): Promise<string | undefined> {
  const [move] = await client.fetchQuery({ ...movesQuery(conversation_id), staleTime: 0 })
  if (!move) return undefined
  const { data } = await call(merging.undo, { params: { id: move.id } })
  await refreshMoved(client, [move.from_id, move.to_id])
  return data.id
}

/** For the time until the event arrives, which updates everything else. */
async function refreshMoved(client: QueryClient, ids: string[]): Promise<void> {
  outdateThreadsOf(client, ids)
  await Promise.all(ids.map((id) => client.invalidateQueries({ queryKey: movesKey(id) })))
}
