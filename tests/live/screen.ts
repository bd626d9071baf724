import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { BUCKETS, type Bucket } from '#contract/conversations/buckets.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { Message } from '#contract/conversations/messages.ts'
import type { ClientEvent } from '#contract/events.ts'
import type { TestServer } from '#tests/support/server.ts'
import { type JoinedTopic, TestSocket } from '#tests/support/sockets.ts'
import type { Person } from '#tests/support/world.ts'
import { applyEvents } from '../../dashboard/apply-events.ts'
import { listQuery } from '../../dashboard/features/conversations/conversations/cache.ts'
import { countsQuery } from '../../dashboard/features/conversations/conversations/counts.ts'
import type { View } from '../../dashboard/features/conversations/conversations/views.ts'
import { threadQuery } from '../../dashboard/features/conversations/messages/thread.ts'
import { ratingQuery } from '../../dashboard/features/conversations/ratings/queries.ts'
import { applyPresence } from '../../dashboard/features/customers/customers/list/arrivals.ts'
import { remember } from '../../dashboard/platform/realtime/event-buffer.ts'
import type { PresenceDiff } from '../../dashboard/platform/realtime/presence.ts'
import { storage } from '../../dashboard/testing/samples.ts'

/**
 * A user's browser without a window: the dashboard's caches, loaded by its own calls and updated by a real socket.
 * One per process, as its state is that of a tab.
 */
export class Screen {
  readonly client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  private readonly user: Person
  private readonly views: View[]
  private readonly threads = new Set<string>()
  private readonly socket: TestSocket
  private readonly restoreGlobals: () => void
  private unsubscribe: () => void = () => undefined
  team!: JoinedTopic

  private constructor(server: TestServer, account_id: string, user: Person, inbox_ids: string[]) {
    this.user = user
    this.restoreGlobals = replaceGlobals(server, account_id, user)
    const buckets = Object.keys(BUCKETS) as Bucket[]
    this.views = [
      ...buckets.map((bucket): View => ({ bucket })),
      ...inbox_ids.map((inbox_id): View => ({ bucket: 'all', inbox_id })),
    ]
    this.socket = new TestSocket(server.url, { token: user.token })
  }

  /** Signs in, joins the team's topic and opens every view of the inbox. */
  static async open(server: TestServer, account_id: string, user: Person, inbox_ids: string[]): Promise<Screen> {
    const screen = new Screen(server, account_id, user, inbox_ids)
    try {
      screen.team = await screen.socket.join(`notification:${account_id}`)
      screen.team.channel.onMessage = (event: string | null, payload: unknown) => {
        screen.receive(event, payload)
        return payload
      }
      await screen.load(screen.client)
    } catch (error) {
      screen.close()
      throw error
    }
    // Active queries are refetched when they are invalidated, others are not.
    const counts = new QueryObserver(screen.client, { ...countsQuery, staleTime: Number.POSITIVE_INFINITY })
    screen.unsubscribe = counts.subscribe(() => undefined)
    return screen
  }

  /** Opens a thread, so that it is updated by events too. */
  async openThread(id: string) {
    this.threads.add(id)
    await this.client.fetchQuery(threadQuery(this.client, id))
    await this.client.fetchQuery(ratingQuery(id))
  }

  /** The screen after all events received so far. */
  applied() {
    return this.contents(this.client)
  }

  /** What somebody who opens the dashboard now would see. */
  async fresh() {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    await this.load(client)
    return this.contents(client)
  }

  close() {
    this.unsubscribe()
    this.client.clear()
    this.socket.close()
    this.restoreGlobals()
  }

  private receive(event: string | null, payload: unknown) {
    if (event === 'presence_diff') return applyPresence(this.client, payload as PresenceDiff)
    if (!event || /^(phx_|chan_reply|presence_|cursor|typing|viewing)/.test(event)) return
    const received = { event, payload } as ClientEvent
    remember(received)
    applyEvents(this.client, [received], this.user.id)
  }

  private async load(client: QueryClient) {
    await Promise.all([
      ...this.views.map((view) => client.fetchQuery(listQuery(client, view, this.user.id))),
      ...[...this.threads].map((id) => client.fetchQuery(threadQuery(client, id))),
      ...[...this.threads].map((id) => client.fetchQuery(ratingQuery(id))),
      client.fetchQuery({ ...countsQuery, staleTime: 0 }),
    ])
  }

  private contents(client: QueryClient) {
    const lists = this.views.map((view) => {
      const { conversations } = client.getQueryData(listQuery(client, view, this.user.id).queryKey)!
      return [view.inbox_id ?? view.bucket, conversations.map(withoutClock)] as const
    })
    const threads = [...this.threads].map((id) => {
      return [id, client.getQueryData(threadQuery(client, id).queryKey)!.messages.map(withoutCustomer)] as const
    })
    const ratings = [...this.threads].map((id) => [id, client.getQueryData(ratingQuery(id).queryKey)] as const)
    return {
      ratings: Object.fromEntries(ratings),
      lists: Object.fromEntries(lists),
      threads: Object.fromEntries(threads),
      counts: client.getQueryData(countsQuery.queryKey)!,
    }
  }
}

/**
 * Gives this process the globals of a signed-in tab: a storage with its session, and a `fetch` that knows the server.
 * Returns a function that restores them, because test files share a process.
 */
function replaceGlobals(server: TestServer, account_id: string, { id, token, renew_token }: Person): () => void {
  const fetchBefore = globalThis.fetch
  const storageBefore = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
  const browserStorage = storage()
  const session = { account_id, user_id: id, token, renew_token, renewed_at: Date.now() }
  browserStorage.setItem('parley.session', JSON.stringify(session))
  Object.defineProperty(globalThis, 'localStorage', { value: browserStorage, configurable: true, writable: true })
  globalThis.fetch = (address, init) => fetchBefore(new URL(String(address), server.url), init)
  return () => {
    globalThis.fetch = fetchBefore
    if (storageBefore) Object.defineProperty(globalThis, 'localStorage', storageBefore)
    else Reflect.deleteProperty(globalThis, 'localStorage')
  }
}

/**
 * Versions and times of rows are not on screen; a message changes both without an event about them. The inbox only
 * shows who was mentioned and, by the row, who has not looked yet.
 */
function withoutClock({ version, updated_at, mentions, messages, ...conversation }: Conversation) {
  return {
    ...conversation,
    messages: messages.map(withoutCustomer),
    mentions: [...new Set(mentions.map(({ user_id }) => user_id))].sort(),
  }
}

/** Bubbles show the customer's name from the conversation; the customer in messages is for existing clients. */
function withoutCustomer({ customer, ...message }: Message) {
  return message
}
