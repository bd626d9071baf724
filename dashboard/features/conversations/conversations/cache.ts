import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { BUCKETS } from '#contract/conversations/buckets.ts'
import { type Conversation, conversations } from '#contract/conversations/conversations.ts'
import { changesByTime } from '#contract/conversations/view-membership.ts'
import { conversationViews } from '#contract/conversations/views.ts'
import type { ClientEvent } from '#contract/events.ts'
import { call } from '../../../platform/http/api.ts'
import { logError } from '../../../platform/http/errors.ts'
import { eventsSince, position } from '../../../platform/realtime/event-buffer.ts'
import { appendPage, applyToConversation, placeInList, pruneList, type Viewer } from './apply-events.ts'
import { countChange, recountSoon } from './counts.ts'
import { conversationKeys } from './keys.ts'
import { applyToPatched, findPatched, serverStateOf, withPatchesOf } from './patches.ts'
import { viewedId } from './viewing.ts'
import { belongs, type ConversationList, orderOf, sortOf, type View } from './views.ts'

/** For more unknown conversations than this, refetching the lists is cheaper than fetching each. */
const MANY_UNKNOWN = 10
const UNKNOWN_WAIT_MS = 100

/** What is overdue, and a saved view that asks for times, loses and gains conversations without any event. */
const BY_TIME_MS = 60_000

export function listQuery(client: QueryClient, view: View, user_id: number) {
  return queryOptions({
    queryKey: conversationKeys.view(view),
    queryFn: ({ signal }) =>
      (view.saved || view.is_overdue ? reload : fetchPage)(client, view, user_id, undefined, signal),
    refetchInterval: isByTime(view) ? BY_TIME_MS : false,
  })
}

function isByTime({ saved, is_overdue }: View): boolean {
  return !!is_overdue || (!!saved && changesByTime(saved.conditions))
}

/**
 * Such lists are reloaded while somebody works through them: as many conversations as were loaded, and the open one,
 * which stays where it is until they leave it.
 */
async function reload(...[client, view, user_id, after, signal]: Parameters<typeof fetchPage>) {
  const wanted = readList(client, view).length
  let list = await fetchPage(client, view, user_id, after, signal)
  while (list.next && list.conversations.length < wanted)
    list = appendPage(list, await fetchPage(client, view, user_id, list.next, signal))
  const open = readList(client, view).find(({ id }) => id === viewedId())
  if (!open || list.conversations.some(({ id }) => id === open.id)) return list
  return { ...list, conversations: [...list.conversations, open].sort(orderOf(view)) }
}

export function conversationQuery(client: QueryClient, id: string) {
  return queryOptions({
    queryKey: conversationKeys.detail(id),
    queryFn: async ({ signal }): Promise<Conversation> => {
      const since = position()
      const { data } = await call(conversations.get, { params: { id }, query: { messages: 'last' }, signal })
      return withPatchesOf(client, eventsSince(since).reduce(applyToConversation, data))
    },
    initialData: () => findConversation(client, id),
    initialDataUpdatedAt: Date.now,
  })
}

/** Loads the next page of a list. */
export async function loadMore(client: QueryClient, view: View, user_id: number): Promise<void> {
  const after = client.getQueryData<ConversationList>(conversationKeys.view(view))?.next
  if (!after) return
  const page = await fetchPage(client, view, user_id, after)
  client.setQueryData<ConversationList>(conversationKeys.view(view), (list) => list && appendPage(list, page))
}

/** The cached list, which may be newer than what is rendered. Empty while it loads. */
export function readList(client: QueryClient, view: View): Conversation[] {
  return client.getQueryData<ConversationList>(conversationKeys.view(view))?.conversations ?? []
}

/** The newest cached state of a conversation. */
export function findConversation(client: QueryClient, id: string): Conversation | undefined {
  let newest = client.getQueryData<Conversation>(conversationKeys.detail(id))
  for (const [, list] of client.getQueriesData<ConversationList>({ queryKey: conversationKeys.views })) {
    const listed = list?.conversations.find((conversation) => conversation.id === id)
    if (listed && (!newest || listed.version > newest.version)) newest = listed
  }
  return newest
}

/** Applies an event to all lists, the open conversation and the counters. */
export function applyConversationEvent(client: QueryClient, event: ClientEvent, user_id: number) {
  const id = conversationIn(event)
  if (event.event === 'conversation:destroyed') return invalidateConversation(client, event.payload.id)
  if (id === undefined) return applyRelatedEvent(client, event)
  const before = findConversation(client, id) ?? findPatched(client, id)
  if (before) {
    const server = serverStateOf(client, before)
    const after = applyToConversation(server, event)
    if (after !== server) replaceConversation(client, before, withPatchesOf(client, after), user_id)
    if (isNewlyMentioned(after, user_id) || lacksPreview(after)) fetchUnknownConversation(client, id, user_id)
  } else if (event.event === 'conversation:created' && event.payload.conversation) {
    replaceConversation(client, undefined, event.payload.conversation, user_id)
  } else if (!BESIDE_LISTS.has(event.event)) {
    recountSoon(client)
    // A deleted conversation is in no list, and may no longer exist when it is fetched.
    if (!isDeleted(event)) fetchUnknownConversation(client, id, user_id)
  }
}

/** Events that change neither order nor counters, so conversations outside the cached lists need not be fetched. */
const BESIDE_LISTS = new Set<ClientEvent['event']>([
  'messages:seen',
  'messages:read',
  'message:updated',
  'message:deleted',
])

function isDeleted({ event, payload }: ClientEvent): boolean {
  return event === 'conversation:updated' && payload.updates.archived_at !== null
}

/** Where a destroyed conversation is open, fetching it again shows that it no longer exists. */
function invalidateConversation(client: QueryClient, id: string) {
  const queryKey = conversationKeys.detail(id)
  client.getQueryCache().find({ queryKey })?.setState({ data: undefined, status: 'pending' })
  void client.refetchQueries({ queryKey, type: 'active' })
}

/** Changes of customers and tags appear on every conversation that shows them, without moving it. */
function applyRelatedEvent(client: QueryClient, event: ClientEvent) {
  applyToPatched(client, (server) => applyToConversation(server, event))
  forEachList(client, (list) => {
    const conversations = list.conversations.map((conversation) => applyToConversation(conversation, event))
    return conversations.some((conversation, at) => conversation !== list.conversations[at])
      ? { ...list, conversations }
      : list
  })
  for (const [key, conversation] of client.getQueriesData<Conversation>({ queryKey: conversationKeys.details })) {
    const next = conversation && applyToConversation(conversation, event)
    if (next !== conversation) client.setQueryData(key, next)
  }
}

/** Updates a conversation everywhere, and the counters by the difference. */
export function replaceConversation(
  client: QueryClient,
  before: Conversation | undefined,
  after: Conversation,
  user_id: number,
) {
  countChange(client, before, after, user_id)
  insertConversation(client, after, user_id)
}

/** Removes conversations that stayed in a list only while they were open. */
export function pruneLists(client: QueryClient, user_id: number) {
  forEachList(client, (list, view) => pruneList(list, view, { user_id, viewed_id: viewedId() }))
}

function insertConversation(client: QueryClient, conversation: Conversation, user_id: number) {
  const viewer = { user_id, viewed_id: viewedId() }
  forEachList(client, (list, view) => placeInList(list, view, conversation, viewer))
  const key = conversationKeys.detail(conversation.id)
  if (client.getQueryData(key)) client.setQueryData(key, conversation)
}

function forEachList(client: QueryClient, change: (list: ConversationList, view: View) => ConversationList) {
  for (const [key, list] of client.getQueriesData<ConversationList>({ queryKey: conversationKeys.views })) {
    if (!list) continue
    const next = change(list, key[2] as View)
    if (next !== list) client.setQueryData(key, next)
  }
}

async function fetchPage(
  client: QueryClient,
  view: View,
  user_id: number,
  after?: string,
  signal?: AbortSignal,
): Promise<ConversationList> {
  const since = position()
  const { data, next } = await callPage(view, after, signal)
  // Conversations that are just being moved out of this view are still in the server's page.
  const shown = data.map((conversation) => withPatchesOf(client, conversation))
  const page = {
    conversations: shown.filter(
      (conversation, at) => conversation === data[at] || belongs(view, conversation, user_id),
    ),
    next,
  }
  return catchUpList(client, page, view, since, { user_id, viewed_id: viewedId() })
}

function callPage({ bucket, saved, is_overdue, inbox_id, team_id }: View, after?: string, signal?: AbortSignal) {
  const page = { after, messages: 'last' } as const
  if (saved) return call(conversationViews.conversations, { params: { id: saved.id }, query: page, signal })
  const due_before = is_overdue ? new Date().toISOString() : undefined
  const filters = { ...BUCKETS[bucket].query, due_before, sort: sortOf({ bucket }), inbox_id, team_id }
  return call(conversations.list, { query: { ...filters, ...page }, signal })
}

/** The page may be older than events that have already been applied. */
function catchUpList(client: QueryClient, page: ConversationList, view: View, since: number, viewer: Viewer) {
  const events = eventsSince(since)
  let list = page
  for (const id of new Set(events.flatMap((event) => conversationIn(event) ?? []))) {
    const listed = list.conversations.find((conversation) => conversation.id === id)
    const cached = findConversation(client, id)
    const base = listed && (!cached || listed.version > cached.version) ? listed : cached
    if (!base) continue
    const conversation = withPatchesOf(client, events.reduce(applyToConversation, serverStateOf(client, base)))
    if (lacksPreview(conversation)) fetchUnknownConversation(client, id, viewer.user_id)
    list = placeInList(list, view, conversation, viewer)
  }
  return list
}

const unknown_ids = new Set<string>()
let fetching: ReturnType<typeof setTimeout> | undefined

/** Fetches a conversation that events mention and no list holds. Several are collected first. */
function fetchUnknownConversation(client: QueryClient, id: string, user_id: number) {
  unknown_ids.add(id)
  if (fetching) return
  fetching = setTimeout(async () => {
    const ids = [...unknown_ids]
    unknown_ids.clear()
    fetching = undefined
    if (ids.length > MANY_UNKNOWN) return client.invalidateQueries({ queryKey: conversationKeys.views })
    await Promise.all(ids.map((id) => fetchAndInsert(client, id, user_id)))
  }, UNKNOWN_WAIT_MS)
}

async function fetchAndInsert(client: QueryClient, id: string, user_id: number) {
  try {
    const requestedAt = position()
    const { data } = await call(conversations.get, { params: { id }, query: { messages: 'last' } })
    insertConversation(
      client,
      withPatchesOf(client, eventsSince(requestedAt).reduce(applyToConversation, data)),
      user_id,
    )
  } catch (error) {
    logError('Conversation not loaded', error)
  }
}

/** The previewed message was deleted, and the one before it is not cached. */
function lacksPreview({ messages, last_number }: Conversation): boolean {
  return messages.length === 0 && last_number > 0
}

/** The row only says that the user was mentioned; the full record has the mentions. */
function isNewlyMentioned(conversation: Conversation, user_id: number): boolean {
  return (
    conversation.unseen_mention_user_ids.includes(user_id) &&
    !conversation.mentions.some((mention) => mention.user_id === user_id)
  )
}

/** The id of the conversation that an event is about, if any. */
function conversationIn({ event, payload }: ClientEvent): string | undefined {
  if (event === 'delivery:updated') return undefined
  if ('conversation_id' in payload) return payload.conversation_id
  return event.startsWith('conversation:') && 'id' in payload ? String(payload.id) : undefined
}
