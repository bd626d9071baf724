import {
  type DefaultError,
  InfiniteQueryObserver,
  type InfiniteQueryObserverOptions,
  QueryClient,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
} from '@tanstack/react-query'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ClientEvent } from '#contract/events.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { type Json, startTestServer, type TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { createWorld, startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { accountQuery } from '../../dashboard/features/accounts/account.ts'
import { companyQuery, foundCompaniesQuery } from '../../dashboard/features/companies/queries.ts'
import { conversationsOfQuery } from '../../dashboard/features/conversations/conversations-of-customer.ts'
import { countQuery } from '../../dashboard/features/conversations/counts.ts'
import { notesQuery } from '../../dashboard/features/customer-notes/queries.ts'
import { customerListQuery, savedFiltersQuery } from '../../dashboard/features/customers/customer-list.ts'
import { importQuery } from '../../dashboard/features/customers/importing/importing.ts'
import { ARRIVALS_MS } from '../../dashboard/features/customers/list/arrivals.ts'
import { customerQuery } from '../../dashboard/features/customers/queries.ts'
import { inboxesQuery } from '../../dashboard/features/inboxes/queries.ts'
import { foundIssuesQuery, issueQuery } from '../../dashboard/features/issues/queries.ts'
import { countedTagsQuery, tagQuery, tagsQuery } from '../../dashboard/features/tags/queries.ts'
import { Screen } from './screen.ts'

// What Ada has on screen of customers, companies, tags, issues and notes, of inboxes and the team is, after all that the
// others do, what a fresh load would show.

/** Where each event is tested. A new one does not compile until it stands here. */
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
  'conversation:created': 'here',
  'conversation:updated': 'here',
  shout: 'here',
  'message:updated': 'tests/live/inbox.test.ts',
  'message:deleted': 'tests/live/inbox.test.ts',
  'messages:seen': 'tests/live/inbox.test.ts',
  'messages:read': 'tests/live/inbox.test.ts',
  'conversation:rated': 'dashboard/features/ratings/ratings.test.ts',
  'conversation:status': 'is received by customers only',
  'account:updated': 'here',
  'billing:updated': 'tests/stories/billing.story.ts',
  'inbox:updated': 'here',
  'inbox:deleted': 'here',
  'widget_settings:updated': 'server/features/inboxes/widget-settings.test.ts',
  'user:updated': 'here',
  'authorization:updated': 'tests/stories/integrations.story.ts',
  'authorization:removed': 'tests/stories/integrations.story.ts',
  'delivery:updated': 'tests/stories/integrations.story.ts',
}

let server: TestServer
let world: World
let screen: Screen
const received = new Set<string>()
const parts = new Map<string, Part>()
/** What the acts before have made. */
const made: Record<string, Json> = {}

interface Part {
  applied(): unknown
  fresh(): Promise<unknown>
}

/** So long lists wait for more to come before they are asked for again; thirty times would be long for a test. */
const STALE_MS = 400

beforeAll(async () => {
  const wait = setTimeout
  const shorten = (ms?: number) => (ms === STALE_MS || ms === ARRIVALS_MS ? 10 : ms)
  vi.stubGlobal('setTimeout', (run: () => void, ms?: number, ...given: unknown[]) => wait(run, shorten(ms), ...given))
  server = await startTestServer()
  world = await createWorld(server)
  const visitor = await startVisitor(server, world.acme.id, { name: 'Dora', email: 'dora@customer.test' })
  const { conversation_id } = await startConversation(server, visitor, 'Is it oak?')
  Object.assign(made, { visitor, dora: visitor.customer_id, carla: world.carla.customer_id, talk: conversation_id })
  // Ben, who does everything here, is a member.
  const settings = { members_manage_customers: true }
  const allowed = { token: world.ada.token, body: { account: { settings } } }
  await server.request('PUT', '/api/accounts/me', allowed)
  made.company = (await send('POST', '/api/companies', { company: { name: 'Harbour Ltd' } })).data.id
  made.tag = (await send('POST', '/api/tags', { tag: { name: 'trade' } })).data.id
  made.issue = (await send('POST', '/api/issues', { issue: { title: 'Lamp', customer_id: made.dora } })).data.id
  made.note = (await send('POST', '/api/notes', { note: { customer_id: made.dora, body: 'Likes oak' } })).data.id
  const file = { content: 'email,name\nnew@customer.test,New One\ndora@customer.test,Dora Reyes', filename: 'new.csv' }
  made.import = (await send('POST', '/api/customers/import', file)).data.id

  screen = await Screen.open(server, world.acme.id, world.ada, [])
  const { channel } = screen.team
  const { onMessage } = channel
  channel.onMessage = (event, ...rest) => {
    received.add(event)
    return onMessage.call(channel, event, ...rest)
  }
  await lookAtEverything()
})
afterAll(async () => {
  vi.unstubAllGlobals()
  screen?.close()
  await server.close()
})

async function send(method: string, path: string, body?: object): Promise<Json> {
  const { status, body: answer } = await server.request(method, path, { token: world.ben.token, body })
  if (status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer
}

async function lookAtEverything() {
  const { dora, carla, company, tag, issue } = made
  watch('the list', customerListQuery({}))
  watch('the list without anonymous', customerListQuery({ include_anonymous: 'false' }))
  watch('who has the tag', customerListQuery({ tag_id: tag }))
  watch('who is of the company', customerListQuery({ company_id: company }))
  watch('whom the issue concerns', customerListQuery({ issue_id: issue }))
  watch('Dora', customerQuery(dora))
  watch('Carla', customerQuery(carla))
  watch('saved filters', savedFiltersQuery)
  watch('the import', importQuery(made.import))
  watch('companies', foundCompaniesQuery('', 50))
  watch('the company', companyQuery(company))
  watch('tags to choose', tagsQuery)
  watch('tags', countedTagsQuery)
  watch('the tag', tagQuery(tag))
  watch('issues to choose', foundIssuesQuery('', 50))
  watch('issues', foundIssuesQuery(''))
  watch('the issue', issueQuery(issue))
  watch('open conversations of Dora', countQuery({ customer_id: dora, status: 'open' }))
  watch('open conversations of Carla', countQuery({ customer_id: carla, status: 'open' }))
  watch('inboxes', inboxesQuery)
  watch('the account', accountQuery)
  watchPages('what Dora said', conversationsOfQuery({ customer_id: dora }))
  watchPages('what Carla said', conversationsOfQuery({ customer_id: carla }))
  watchPages('what the company said', conversationsOfQuery({ company_id: company }))
  watchPages('what has the tag', conversationsOfQuery({ tag_id: tag }))
  watchPages('notes', notesQuery)
  await expectAsFresh()
}

/** A part that is on screen from now on: what is declared stale is asked for again only where somebody looks. */
function watch<Data, Key extends QueryKey>(
  name: string,
  options: QueryObserverOptions<Data, DefaultError, Data, Data, Key>,
) {
  new QueryObserver(screen.client, options).subscribe(() => undefined)
  keep(name, options.queryKey!, (client) => client.fetchQuery({ ...options, staleTime: 0 } as never))
}

function watchPages<Page, Cursor, Data, Key extends QueryKey>(
  name: string,
  options: InfiniteQueryObserverOptions<Page, DefaultError, Data, Key, Cursor>,
) {
  new InfiniteQueryObserver(screen.client, options).subscribe(() => undefined)
  keep(name, options.queryKey!, (client) => client.fetchInfiniteQuery({ ...options, staleTime: 0 } as never))
}

function keep(name: string, key: QueryKey, load: (client: QueryClient) => Promise<unknown>) {
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
 * As it is shown. An issue that is known keeps its place on a profile, rows of customers show nothing of their newest
 * conversation, and the account's list of widget settings is nowhere to be seen.
 */
function onScreen(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null), (key, inner: Json) => {
    if (key === 'issues') return [...inner].sort((one: Json, other: Json) => one.id.localeCompare(other.id))
    return ['conversations', 'widget_settings', 'version', 'updated_at'].includes(key) ? undefined : inner
  })
}

/** Who left is known only when the server notices, which may be after a fresh load, so later ones are compared too. */
async function expectAsFresh() {
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

/** Everything that changes what these screens show, in an order in which each finds what it needs. */
const ACTS: Record<string, () => Promise<unknown>> = {
  'a visitor comes by themselves': async () => {
    const fay = await startVisitor(server, world.acme.id, { name: 'Fay' })
    await startConversation(server, fay, 'Do you sell chairs?')
  },
  'a customer opens the chat': async () => {
    const { token, customer_id } = made.visitor
    made.window = new TestSocket(server.url, { token })
    await made.window.join(`conversation:${made.talk}`, { customer_id })
  },
  'the customer goes': async () => made.window.close(),
  'a customer is added': () => create({ name: 'Emil', email: 'emil@customer.test' }),
  'a customer is changed': () => change(made.dora, { name: 'Dora Reyes', company_id: made.company }),
  'a visitor says a phone number': () =>
    server.request('PUT', `/api/customers/${made.dora}/metadata`, {
      token: made.visitor.token,
      body: { metadata: { phone: '+49 30 1' } },
    }),
  'a customer is blocked': () => send('POST', `/api/customers/${made.dora}/block`),
  'a customer is taken again': () => send('DELETE', `/api/customers/${made.dora}/block`),
  'a customer is tagged': () => send('POST', `/api/customers/${made.dora}/tags`, { tag_id: made.tag }),
  'a conversation is tagged': () => send('POST', `/api/conversations/${made.talk}/tags`, { tag_id: made.tag }),
  'a customer writes': () =>
    server.request('POST', '/api/messages', {
      token: made.visitor.token,
      body: { message: { conversation_id: made.talk, body: 'And walnut?' } },
    }),
  'a conversation is closed': () => put(`/api/conversations/${made.talk}`, { conversation: { status: 'closed' } }),
  'a conversation is begun': () =>
    send('POST', '/api/conversations', {
      conversation: { customer_id: made.dora, message: { body: 'We have walnut.' } },
    }),
  'a tag is renamed': () => put(`/api/tags/${made.tag}`, { tag: { name: 'vip', color: 'blue' } }),
  'a tag is made': () => send('POST', '/api/tags', { tag: { name: 'also' } }),
  'a second tag is put on': async () => {
    const { data } = await send('GET', '/api/tags')
    await send('POST', `/api/customers/${made.dora}/tags`, { tag_id: data[0].id })
  },
  'a company is renamed': () => put(`/api/companies/${made.company}`, { company: { name: 'Harbour & Sons' } }),
  'a company is added': async () => {
    made.empty = (await send('POST', '/api/companies', { company: { name: 'Empty Ltd' } })).data.id
  },
  'a company is deleted': () => send('DELETE', `/api/companies/${made.empty}`),
  'a note is written': () => send('POST', '/api/notes', { note: { customer_id: made.dora, body: 'And walnut' } }),
  'a note is changed': () => put(`/api/notes/${made.note}`, { note: { body: 'Loves oak' } }),
  'a note is deleted': () => send('DELETE', `/api/notes/${made.note}`),
  'an issue is written down': () => send('POST', '/api/issues', { issue: { title: 'Door', customer_id: made.dora } }),
  'an issue is done': () => put(`/api/issues/${made.issue}`, { issue: { state: 'done' } }),
  'an issue is linked': () => send('POST', `/api/customers/${made.carla}/issues`, { issue_id: made.issue }),
  'an issue is unlinked': () => send('DELETE', `/api/customers/${made.carla}/issues/${made.issue}`),
  'two customers become one': () => send('POST', `/api/customers/${made.carla}/merge`, { customer_id: made.dora }),
  'they are two again': () => send('POST', `/api/customers/${made.carla}/unmerge`),
  'a filter is saved': () => save({ q: 'oak' }),
  'a filter is replaced': () => save({ q: 'walnut' }),
  'a filter is deleted': async () => {
    const { data } = await send('GET', '/api/customer_filters')
    await send('DELETE', `/api/customer_filters/${withoutBystanders<Json>(data)[0].id}`)
  },
  'a file is imported': async () => {
    await send('POST', `/api/customer_imports/${made.import}/start`, { mapping: ['email', 'name'] })
    const done = async () => (await send('GET', `/api/customer_imports/${made.import}`)).data.status
    await vi.waitFor(async () => expect(await done()).toBe('done'), { timeout: 10_000, interval: 20 })
  },
  'a tag is taken off': () => send('DELETE', `/api/customers/${made.dora}/tags/${made.tag}`),
  'a conversation is deleted': () => send('POST', `/api/conversations/${made.talk}/archive`),
  'an issue is deleted': () => send('DELETE', `/api/issues/${made.issue}`),
  'a tag is deleted': () => send('DELETE', `/api/tags/${made.tag}`),
  'an inbox is added': async () => {
    made.inbox = (await asAdmin('POST', '/api/inboxes', { inbox: { name: 'Returns' } })).body.data.id
  },
  'an inbox is renamed': () => asAdmin('PUT', `/api/inboxes/${made.inbox}`, { inbox: { name: 'Repairs' } }),
  'an inbox is deleted': () => asAdmin('DELETE', `/api/inboxes/${made.inbox}`),
  'the account gets another name': () =>
    asAdmin('PUT', '/api/accounts/me', { account: { company_name: 'Acme & Sons' } }),
  'somebody gets another role': () => asAdmin('PUT', `/api/users/${world.ben.id}/role`, { role: 'admin' }),
  'a customer is deleted': () => send('DELETE', `/api/customers/${made.carla}`),
  'everything of a customer is erased': () => asAdmin('POST', `/api/customers/${made.dora}/erase`),
}

const asAdmin = (method: string, path: string, body?: object) =>
  server.request(method, path, { token: world.ada.token, body })
const put = (path: string, body: object) => send('PUT', path, body)
const change = (id: string, customer: object) => put(`/api/customers/${id}`, { customer })
const create = (customer: object) => send('POST', '/api/customers', { customer })
const save = (query: object) => send('POST', '/api/customer_filters', { customer_filter: { name: 'Wood', query } })

test.each(Object.entries(ACTS))('%s, and every list and profile is as after a fresh load', async (_, act) => {
  await act()
  await expectAsFresh()
})

test('every event of this area was among them', () => {
  const wanted = Object.entries(SHOWN_BY).flatMap(([event, place]) => (place === 'here' ? event : []))
  expect(wanted.filter((event) => !received.has(event))).toEqual([])
})
