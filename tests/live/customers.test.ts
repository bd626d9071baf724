import {
  type DefaultError,
  InfiniteQueryObserver,
  type InfiniteQueryObserverOptions,
  QueryClient,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
} from '@tanstack/react-query'
import { vi } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import type { ClientEvent } from '#contract/events.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import type { Json, TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { accountQuery } from '../../dashboard/features/accounts/accounts/account.ts'
import { conversationsOfQuery } from '../../dashboard/features/conversations/conversations/conversations-of-customer.ts'
import { countQuery } from '../../dashboard/features/conversations/conversations/counts.ts'
import { companyQuery, foundCompaniesQuery } from '../../dashboard/features/customers/companies/queries.ts'
import { notesQuery } from '../../dashboard/features/customers/customer-notes/queries.ts'
import { customerListQuery, savedFiltersQuery } from '../../dashboard/features/customers/customers/customer-list.ts'
import { importQuery } from '../../dashboard/features/customers/customers/importing/importing.ts'
import { ARRIVALS_MS } from '../../dashboard/features/customers/customers/list/arrivals.ts'
import { customerQuery } from '../../dashboard/features/customers/customers/queries.ts'
import { foundIssuesQuery, issueQuery } from '../../dashboard/features/customers/issues/queries.ts'
import { countedTagsQuery, tagQuery, tagsQuery } from '../../dashboard/features/customers/tags/queries.ts'
import { inboxesQuery } from '../../dashboard/features/widget/inboxes/queries.ts'
import { Screen } from './screen.ts'

// After all changes by others, Ada's screens of customers, companies, tags, issues, notes, inboxes and the team must
// show what a fresh load would.

/** The test of each event. A new event does not compile until it is listed here. */
const SHOWN_BY: Record<ClientEvent['event'], 'here' | (string & {})> = {
  'customer:updated': 'here',
  'customer:deleted': 'here',
  'customer:tagged': 'here',
  'conversations:moved': 'here',
  'customer_filter:updated': 'here',
  'customer_filter:deleted': 'here',
  'customer_import:updated': 'here',
  'company:updated': 'here',
  'company:deleted': 'here',
  'tag:updated': 'here',
  'tag:deleted': 'here',
  'note:created': 'here',
  'note:updated': 'here',
  'note:deleted': 'here',
  'issue:created': 'here',
  'issue:updated': 'here',
  'issue:deleted': 'here',
  'issue:linked': 'here',
  'issue:unlinked': 'here',
  'conversation:tagged': 'here',
  'conversation:destroyed': 'tests/stories/deleted.story.ts',
  'conversation:created': 'here',
  'conversation:updated': 'here',
  shout: 'here',
  'message:updated': 'tests/live/inbox.test.ts',
  'message:deleted': 'tests/live/inbox.test.ts',
  'messages:seen': 'tests/live/inbox.test.ts',
  'messages:read': 'tests/live/inbox.test.ts',
  'messages:moved': 'tests/stories/merging.story.ts',
  'messages:translated': 'tests/stories/translations.story.ts',
  'attribute_definitions:updated': 'tests/stories/attributes.story.ts',
  'deadline_policies:updated': 'tests/stories/deadlines.story.ts',
  'deadline:warned': 'server/features/conversations/deadlines/deadlines.test.ts',
  'deadline:broken': 'server/features/conversations/deadlines/deadlines.test.ts',
  'conversation:rated': 'dashboard/features/conversations/ratings/ratings.test.ts',
  'conversation:changed': 'is received by customers only',
  'conversation:status': 'is received by customers only',
  'account:updated': 'here',
  'billing:updated': 'tests/stories/billing.story.ts',
  'inbox:updated': 'here',
  'inbox:deleted': 'here',
  'widget_settings:updated': 'server/features/widget/inboxes/widget-settings.test.ts',
  'user:updated': 'here',
  'availability:updated': 'tests/stories/teams.story.ts',
  'conversation:assigned': 'tests/stories/teams.story.ts',
  'team:updated': 'tests/stories/teams.story.ts',
  'team:deleted': 'tests/stories/teams.story.ts',
  'authorization:updated': 'tests/stories/integrations.story.ts',
  'authorization:removed': 'tests/stories/integrations.story.ts',
  'delivery:updated': 'tests/stories/integrations.story.ts',
  'scheduled_message:updated': 'tests/stories/scheduled.story.ts',
  'scheduled_message:removed': 'tests/stories/scheduled.story.ts',
  'rules:updated': 'tests/stories/rules.story.ts',
  'conversation_views:updated': 'tests/stories/views.story.ts',
  'help_center:updated': 'server/features/help/help-center/help-center.test.ts',
  'article_collections:updated': 'server/features/help/articles/articles.test.ts',
  'article:updated': 'server/features/help/articles/articles.test.ts',
  'article:deleted': 'server/features/help/articles/articles.test.ts',
}

interface Scene {
  server: TestServer
  world: World
  screen: Screen
  /** Names of the events received so far. */
  received: Set<string>
  parts: Map<string, Part>
  /** Objects created by earlier actions. */
  made: Record<string, Json>
  /** Makes a call as Ben, which must succeed. */
  send(method: string, path: string, body?: object): Promise<Json>
}

interface Part {
  applied(): unknown
  fresh(): Promise<unknown>
}

/** Long lists collect events for this long before they are refetched; the default is thirty times as long. */
const STALE_MS = 400

const test = base
  .extend('send', { scope: 'file' }, ({ server, world }): Scene['send'] => async (method, path, body) => {
    const { status, body: answer } = await server.request(method, path, { token: world.ben.token, body })
    if (status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  })
  .extend('made', { scope: 'file' }, async ({ as, server, world, send }): Promise<Scene['made']> => {
    const visitor = await startVisitor(server, world.acme.id, { name: 'Dora', email: 'dora@customer.test' })
    const dora = visitor.customer_id
    const { conversation_id } = await startConversation(server, visitor, 'Is it oak?')
    // Ben, who does everything here, is no admin.
    await as.ada(accounts.update, { body: { account: { settings: { members_manage_customers: true } } } })
    const file = {
      content: 'email,name\nnew@customer.test,New One\ndora@customer.test,Dora Reyes',
      filename: 'new.csv',
    }
    return {
      visitor,
      dora,
      carla: world.carla.customer_id,
      talk: conversation_id,
      company: (await send('POST', '/api/companies', { company: { name: 'Harbour Ltd' } })).data.id,
      tag: (await send('POST', '/api/tags', { tag: { name: 'trade' } })).data.id,
      issue: (await send('POST', '/api/issues', { issue: { title: 'Lamp', customer_id: dora } })).data.id,
      note: (await send('POST', '/api/notes', { note: { customer_id: dora, body: 'Likes oak' } })).data.id,
      import: (await send('POST', '/api/customers/import', file)).data.id,
    }
  })
  .extend('screen', { scope: 'file' }, async ({ server, world }, { onCleanup }) => {
    const screen = await Screen.open(server, world.acme.id, world.ada, [])
    onCleanup(() => screen.close())
    return screen
  })
  .extend('scene', { scope: 'file' }, async ({ server, world, screen, send, made }, { onCleanup }): Promise<Scene> => {
    const wait = setTimeout
    const shorten = (ms?: number) => (ms === STALE_MS || ms === ARRIVALS_MS ? 10 : ms)
    vi.stubGlobal('setTimeout', (run: () => void, ms?: number, ...args: unknown[]) => wait(run, shorten(ms), ...args))
    onCleanup(() => {
      vi.unstubAllGlobals()
    })
    const received = new Set<string>()
    const { channel } = screen.team
    const { onMessage } = channel
    channel.onMessage = (event, ...rest) => {
      received.add(event)
      return onMessage.call(channel, event, ...rest)
    }
    const scene = { server, world, screen, received, parts: new Map(), made, send }
    await watchEverything(scene)
    return scene
  })
test.beforeAll(({ scene: _ }) => {})

async function watchEverything(scene: Scene) {
  const { made } = scene
  const { dora, carla, company, tag, issue } = made
  watch(scene, 'the list', customerListQuery({}))
  watch(scene, 'the list without anonymous', customerListQuery({ include_anonymous: 'false' }))
  watch(scene, 'who has the tag', customerListQuery({ tag_id: tag }))
  watch(scene, 'who is of the company', customerListQuery({ company_id: company }))
  watch(scene, 'whom the issue concerns', customerListQuery({ issue_id: issue }))
  watch(scene, 'Dora', customerQuery(dora))
  watch(scene, 'Carla', customerQuery(carla))
  watch(scene, 'saved filters', savedFiltersQuery)
  watch(scene, 'the import', importQuery(made.import))
  watch(scene, 'companies', foundCompaniesQuery('', 50))
  watch(scene, 'the company', companyQuery(company))
  watch(scene, 'tags to choose', tagsQuery)
  watch(scene, 'tags', countedTagsQuery)
  watch(scene, 'the tag', tagQuery(tag))
  watch(scene, 'issues to choose', foundIssuesQuery('', 50))
  watch(scene, 'issues', foundIssuesQuery(''))
  watch(scene, 'the issue', issueQuery(issue))
  watch(scene, 'open conversations of Dora', countQuery({ customer_id: dora, status: 'open' }))
  watch(scene, 'open conversations of Carla', countQuery({ customer_id: carla, status: 'open' }))
  watch(scene, 'inboxes', inboxesQuery)
  watch(scene, 'the account', accountQuery)
  watchPages(scene, 'what Dora said', conversationsOfQuery({ customer_id: dora }))
  watchPages(scene, 'what Carla said', conversationsOfQuery({ customer_id: carla }))
  watchPages(scene, 'what the company said', conversationsOfQuery({ company_id: company }))
  watchPages(scene, 'what has the tag', conversationsOfQuery({ tag_id: tag }))
  watchPages(scene, 'notes', notesQuery)
  await expectAsFresh(scene)
}

/** Keeps a query active as a mounted component does: invalidated queries are only refetched while in use. */
function watch<Data, Key extends QueryKey>(
  scene: Scene,
  name: string,
  options: QueryObserverOptions<Data, DefaultError, Data, Data, Key>,
) {
  new QueryObserver(scene.screen.client, options).subscribe(() => undefined)
  keep(scene, name, options.queryKey!, (client) => client.fetchQuery({ ...options, staleTime: 0 } as never))
}

function watchPages<Page, Cursor, Data, Key extends QueryKey>(
  scene: Scene,
  name: string,
  options: InfiniteQueryObserverOptions<Page, DefaultError, Data, Key, Cursor>,
) {
  new InfiniteQueryObserver(scene.screen.client, options).subscribe(() => undefined)
  keep(scene, name, options.queryKey!, (client) => client.fetchInfiniteQuery({ ...options, staleTime: 0 } as never))
}

function keep({ screen, parts }: Scene, name: string, key: QueryKey, load: (client: QueryClient) => Promise<unknown>) {
  parts.set(name, {
    applied() {
      const state = screen.client.getQueryState(key)
      return state?.status === 'error' ? 'not there' : onScreen(state?.data)
    },
    fresh: () =>
      load(new QueryClient({ defaultOptions: { queries: { retry: false } } })).then(onScreen, () => 'not there'),
  })
}

/**
 * Reduces data to what is shown. A profile keeps the order of known issues, rows of customers show nothing of their
 * latest conversation, and the account's list of widget settings is not shown anywhere.
 */
function onScreen(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null), (key, inner: Json) => {
    if (key === 'issues') return [...inner].sort((a: Json, b: Json) => a.id.localeCompare(b.id))
    return ['conversations', 'widget_settings', 'version', 'updated_at'].includes(key) ? undefined : inner
  })
}

/**
 * Presence changes when the server notices a disconnect, which may be after the fresh load, so later loads are compared
 * too.
 */
async function expectAsFresh({ parts }: Scene) {
  const applied = () => new Map([...parts].map(([name, part]) => [name, part.applied()]))
  await vi.waitFor(
    async () => {
      const fresh = new Map<string, unknown>()
      for (const [name, part] of parts) fresh.set(name, await part.fresh())
      await vi.waitFor(() => expect(applied()).toEqual(fresh), { timeout: 1_000, interval: 20 })
    },
    { timeout: 15_000, interval: 20 },
  )
}

/** Every change that affects these screens, in an order in which each finds what it needs. */
const ACTS: Record<string, (scene: Scene) => Promise<unknown>> = {
  'a visitor starts a conversation': async ({ server, world }) => {
    const fay = await startVisitor(server, world.acme.id, { name: 'Fay' })
    await startConversation(server, fay, 'Do you sell chairs?')
  },
  'a customer opens the chat': async ({ server, made }) => {
    const { token, customer_id } = made.visitor
    made.window = new TestSocket(server.url, { token })
    await made.window.join(`conversation:${made.talk}`, { customer_id })
  },
  'the customer closes the page': async ({ made }) => made.window.close(),
  'a customer is added': (scene) => create(scene, { name: 'Emil', email: 'emil@customer.test' }),
  'a customer is changed': (scene) =>
    change(scene, scene.made.dora, { name: 'Dora Reyes', company_id: scene.made.company }),
  'a visitor enters a phone number': ({ server, made }) =>
    server.request('PUT', `/api/customers/${made.dora}/metadata`, {
      token: made.visitor.token,
      body: { metadata: { phone: '+49 30 1' } },
    }),
  'a customer is blocked': ({ made, send }) => send('POST', `/api/customers/${made.dora}/block`),
  'a customer is unblocked': ({ made, send }) => send('DELETE', `/api/customers/${made.dora}/block`),
  'a customer is tagged': ({ made, send }) => send('POST', `/api/customers/${made.dora}/tags`, { tag_id: made.tag }),
  'a conversation is tagged': ({ made, send }) =>
    send('POST', `/api/conversations/${made.talk}/tags`, { tag_id: made.tag }),
  'a customer writes': ({ server, made }) =>
    server.request('POST', '/api/messages', {
      token: made.visitor.token,
      body: { message: { conversation_id: made.talk, body: 'And walnut?' } },
    }),
  'a conversation is closed': (scene) =>
    put(scene, `/api/conversations/${scene.made.talk}`, { conversation: { status: 'closed' } }),
  'a conversation is started': ({ made, send }) =>
    send('POST', '/api/conversations', {
      conversation: { customer_id: made.dora, message: { body: 'We have walnut.' } },
    }),
  'a tag is renamed': (scene) => put(scene, `/api/tags/${scene.made.tag}`, { tag: { name: 'vip', color: 'blue' } }),
  'a tag is created': ({ send }) => send('POST', '/api/tags', { tag: { name: 'also' } }),
  'a second tag is added to a customer': async ({ made, send }) => {
    const { data } = await send('GET', '/api/tags')
    await send('POST', `/api/customers/${made.dora}/tags`, { tag_id: data[0].id })
  },
  'a company is renamed': (scene) =>
    put(scene, `/api/companies/${scene.made.company}`, { company: { name: 'Harbour & Sons' } }),
  'a company is added': async ({ made, send }) => {
    made.empty = (await send('POST', '/api/companies', { company: { name: 'Empty Ltd' } })).data.id
  },
  'a company is deleted': ({ made, send }) => send('DELETE', `/api/companies/${made.empty}`),
  'a note is written': ({ made, send }) =>
    send('POST', '/api/notes', { note: { customer_id: made.dora, body: 'And walnut' } }),
  'a note is changed': (scene) => put(scene, `/api/notes/${scene.made.note}`, { note: { body: 'Loves oak' } }),
  'a note is deleted': ({ made, send }) => send('DELETE', `/api/notes/${made.note}`),
  'an issue is created': ({ made, send }) =>
    send('POST', '/api/issues', { issue: { title: 'Door', customer_id: made.dora } }),
  'an issue is done': (scene) => put(scene, `/api/issues/${scene.made.issue}`, { issue: { state: 'done' } }),
  'an issue is linked': ({ made, send }) =>
    send('POST', `/api/customers/${made.carla}/issues`, { issue_id: made.issue }),
  'an issue is unlinked': ({ made, send }) => send('DELETE', `/api/customers/${made.carla}/issues/${made.issue}`),
  'two customers are merged': ({ made, send }) =>
    send('POST', `/api/customers/${made.carla}/merge`, { customer_id: made.dora }),
  'they are separated again': ({ made, send }) => send('POST', `/api/customers/${made.carla}/unmerge`),
  'a filter is saved': (scene) => save(scene, { q: 'oak' }),
  'a filter is replaced': (scene) => save(scene, { q: 'walnut' }),
  'a filter is deleted': async ({ send }) => {
    const { data } = await send('GET', '/api/customer_filters')
    await send('DELETE', `/api/customer_filters/${withoutBystanders<Json>(data)[0].id}`)
  },
  'a file is imported': async ({ made, send }) => {
    await send('POST', `/api/customer_imports/${made.import}/start`, { mapping: ['email', 'name'] })
    const done = async () => (await send('GET', `/api/customer_imports/${made.import}`)).data.status
    await vi.waitFor(async () => expect(await done()).toBe('done'), { timeout: 10_000, interval: 20 })
  },
  'a tag is removed from a customer': ({ made, send }) =>
    send('DELETE', `/api/customers/${made.dora}/tags/${made.tag}`),
  'a conversation is deleted': ({ made, send }) => send('POST', `/api/conversations/${made.talk}/archive`),
  'an issue is deleted': ({ made, send }) => send('DELETE', `/api/issues/${made.issue}`),
  'a tag is deleted': ({ made, send }) => send('DELETE', `/api/tags/${made.tag}`),
  'an inbox is added': async (scene) => {
    scene.made.inbox = (await asAdmin(scene, 'POST', '/api/inboxes', { inbox: { name: 'Returns' } })).body.data.id
  },
  'an inbox is renamed': (scene) =>
    asAdmin(scene, 'PUT', `/api/inboxes/${scene.made.inbox}`, { inbox: { name: 'Repairs' } }),
  'an inbox is deleted': (scene) => asAdmin(scene, 'DELETE', `/api/inboxes/${scene.made.inbox}`),
  'the account is renamed': (scene) =>
    asAdmin(scene, 'PUT', '/api/accounts/me', { account: { company_name: 'Acme & Sons' } }),
  'a user gets another role': (scene) =>
    asAdmin(scene, 'PUT', `/api/users/${scene.world.ben.id}/role`, { role: 'admin' }),
  'a customer is deleted': ({ made, send }) => send('DELETE', `/api/customers/${made.carla}`),
  'everything of a customer is erased': (scene) => asAdmin(scene, 'POST', `/api/customers/${scene.made.dora}/erase`),
}

const asAdmin = ({ server, world }: Scene, method: string, path: string, body?: object) =>
  server.request(method, path, { token: world.ada.token, body })
const put = ({ send }: Scene, path: string, body: object) => send('PUT', path, body)
const change = (scene: Scene, id: string, customer: object) => put(scene, `/api/customers/${id}`, { customer })
const create = ({ send }: Scene, customer: object) => send('POST', '/api/customers', { customer })
const save = ({ send }: Scene, query: object) =>
  send('POST', '/api/customer_filters', { customer_filter: { name: 'Wood', query } })

test.for(Object.entries(ACTS))(
  '%s, and every list and profile shows the same as after a reload',
  async ([, act], { scene }) => {
    await act(scene)
    await expectAsFresh(scene)
  },
)

test('every event of these features was tested', ({ scene }) => {
  const expected = Object.entries(SHOWN_BY).flatMap(([event, shownBy]) => (shownBy === 'here' ? event : []))
  expect(expected.filter((event) => !scene.received.has(event))).toEqual([])
})
