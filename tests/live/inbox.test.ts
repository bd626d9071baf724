import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { createWorld, startConversation, startVisitor, type VisitorInWorld, type World } from '#tests/support/world.ts'
import { Screen } from './screen.ts'

// A screen that applied the events shows what a fresh load would: for every event, in every bucket and inbox.

let server: TestServer
let world: World
let screen: Screen
let tag_id: string
/** Where things happen: conversations of several customers, by their visitors. */
const places: { id: string; visitor: VisitorInWorld }[] = []

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
  const { body } = await server.request('POST', '/api/tags', { token: world.ada.token, body: { tag: { name: 'vip' } } })
  tag_id = body.data.id
  for (const name of ['Carla', 'Dora', 'Emil', 'Frida']) {
    const visitor = await startVisitor(server, world.acme.id, { name })
    const { conversation_id } = await startConversation(server, visitor, `This is ${name}.`)
    places.push({ id: conversation_id, visitor })
  }
  screen = await Screen.open(server, world.acme.id, world.ada, [world.website.id, world.billing.id])
  await screen.openThread(places[0]!.id)
  await screen.openThread(places[1]!.id)
})
afterAll(async () => {
  screen?.close()
  await server.close()
})

interface Act {
  place: number
  who: 'ada' | 'ben'
  value: number
}

const customerAt = (place: number) => places[place]!.visitor.customer_id

const put =
  (conversation: object) =>
  async ({ place, who }: Act) => {
    const path = `/api/conversations/${places[place]!.id}`
    await server.request('PUT', path, { token: world[who].token, body: { conversation } })
  }

const say =
  (message: object) =>
  ({ place, who }: Act) =>
    server.request('POST', '/api/messages', {
      token: world[who].token,
      body: { message: { conversation_id: places[place]!.id, body: `${who} says`, id: randomUUID(), ...message } },
    })

const newestAt = async (place: number): Promise<{ id: string; user_id: number | null } | undefined> =>
  (
    await server.request('GET', `/api/messages?conversation_id=${places[place]!.id}&limit=1`, {
      token: world.ada.token,
    })
  ).body.data[0]

/** Everything that changes what the inbox shows. */
const ACTS: Record<string, (act: Act) => Promise<unknown>> = {
  'a customer writes': ({ place }) => {
    const { id, visitor } = places[place]!
    return server.request('POST', '/api/messages', {
      token: visitor.token,
      body: { message: { conversation_id: id, body: 'More.', id: randomUUID() } },
    })
  },
  'a customer starts another conversation': async ({ place }) => {
    const { visitor } = places[place]!
    const { conversation_id } = await startConversation(server, visitor, 'Something else.')
    places[place] = { id: conversation_id, visitor }
  },
  'a customer sees the answers': async ({ place }) => {
    const { id, visitor } = places[place]!
    const socket = new TestSocket(server.url, { token: visitor.token })
    // A deleted conversation is closed to its customer.
    const topic = await socket.join(`conversation:${id}`).catch(() => undefined)
    await topic?.push('messages:seen', {})
    socket.close()
  },
  'a user replies': say({}),
  'a user writes a note': say({ type: 'note', private: true }),
  'what was said last is taken back': async ({ place }) => {
    const last = await newestAt(place)
    if (last) await server.request('DELETE', `/api/messages/${last.id}`, { token: world.ada.token })
  },
  'what a user said last is changed': async ({ place, value }) => {
    const last = await newestAt(place)
    const message = { body: `Rather ${value}` }
    if (last?.user_id)
      await server.request('PUT', `/api/messages/${last.id}`, { token: world.ada.token, body: { message } })
  },
  'Ada is mentioned': (act) => say({ private: true, mentioned_user_ids: [world.ada.id] })({ ...act, who: 'ben' }),
  'Ada looks': ({ place }) => screen.team.push('read', { conversation_id: places[place]!.id }),
  'a conversation is closed': put({ status: 'closed' }),
  'a conversation is reopened': put({ status: 'open' }),
  'a conversation is marked unread': put({ read: false }),
  'a conversation gets priority': put({ priority: 'priority' }),
  'a conversation loses priority': put({ priority: 'not_priority' }),
  'a conversation is given to somebody or nobody': (act) =>
    put({ assignee_id: [null, world.ada.id, world.ben.id][act.value % 3] })(act),
  'a conversation moves to another inbox': (act) =>
    put({ inbox_id: [world.website.id, world.billing.id][act.value % 2] })(act),
  'a conversation loses its inbox': async (act) => {
    const ask = (method: string, path: string, body?: object) =>
      server.request(method, `/api/inboxes${path}`, { token: world.ada.token, body })
    const { body } = await ask('POST', '', { inbox: { name: `Inbox ${act.value}` } })
    await put({ inbox_id: body.data.id })(act)
    await ask('DELETE', `/${body.data.id}?move_to=${[world.website.id, world.billing.id][act.value % 2]}`)
  },
  'a conversation is deleted': ({ place, who }) =>
    server.request('POST', `/api/conversations/${places[place]!.id}/archive`, { token: world[who].token }),
  'a deleted conversation is brought back': put({ archived_at: null }),
  'a conversation is snoozed': put({ snoozed: { until: null } }),
  'a conversation is woken': put({ snoozed: null }),
  'a customer gets another name': ({ place, who, value }) =>
    server.request('PUT', `/api/customers/${customerAt(place)}`, {
      token: world[who].token,
      body: { customer: { name: `Name ${value}` } },
    }),
  'two customers become one': ({ place, who }) =>
    server.request('POST', `/api/customers/${customerAt(place)}/merge`, {
      token: world[who].token,
      body: { customer_id: customerAt((place + 1) % places.length) },
    }),
  'they part again': ({ place, who }) =>
    server.request('POST', `/api/customers/${customerAt(place)}/unmerge`, { token: world[who].token }),
  'a customer says what they thought of it': async (act) => {
    await put({ status: 'closed' })(act)
    const { id, visitor } = places[act.place]!
    const rating = { score: 1 + (act.value % 5), comment: null }
    await server.request('POST', `/api/conversations/${id}/rating`, { token: visitor.token, body: { rating } })
  },
  'a conversation is tagged': ({ place, who }) =>
    server.request('POST', `/api/conversations/${places[place]!.id}/tags`, {
      token: world[who].token,
      body: { tag_id },
    }),
  'a tag is taken off': ({ place, who }) =>
    server.request('DELETE', `/api/conversations/${places[place]!.id}/tags/${tag_id}`, { token: world[who].token }),
}

/** Until everything was received, and whatever had to be asked for was answered. */
async function expectAsFresh() {
  const fresh = await screen.fresh()
  await vi.waitFor(() => expect(screen.applied()).toEqual(fresh), { timeout: 5_000, interval: 20 })
}

test.each(Object.keys(ACTS))('%s, and every list, thread and counter is as after a fresh load', async (name) => {
  for (const [place, value] of [
    [0, 1],
    [2, 2],
    [1, 0],
  ] as const) {
    await ACTS[name]!({ place, value, who: value === 1 ? 'ada' : 'ben' })
    await expectAsFresh()
  }
})

test('after any walk of actions, too', { timeout: 180_000 }, async () => {
  const act = fc.record({
    name: fc.constantFrom(...Object.keys(ACTS)),
    place: fc.nat(places.length - 1),
    value: fc.nat(5),
    who: fc.constantFrom('ada' as const, 'ben' as const),
  })
  const walks = fc.array(act, { minLength: 5, maxLength: 20 })
  const walk = fc.asyncProperty(walks, async (steps) => {
    for (const { name, ...rest } of steps) await ACTS[name]!(rest)
    await expectAsFresh()
  })
  await fc.assert(walk, { numRuns: 25, seed: 20_261_121, endOnFailure: true })
})
