import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { vi } from 'vitest'
import { tags } from '#contract/customers/tags.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import type { TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { startConversation, startVisitor, type VisitorInWorld, type World } from '#tests/support/world.ts'
import { Screen } from './screen.ts'

// For every event, in every bucket and inbox: a screen that applied the events shows what a fresh load would.

interface Scene {
  server: TestServer
  world: World
  screen: Screen
  tag_id: string
  /** Conversations of several customers, with their visitors. */
  conversations: { id: string; visitor: VisitorInWorld }[]
}

interface Act extends Scene {
  index: number
  who: 'ada' | 'ben'
  value: number
}

const test = base.extend('scene', { scope: 'file' }, async ({ as, server, world }, { onCleanup }): Promise<Scene> => {
  const tag_id = (await as.ada(tags.create, { body: { tag: { name: 'vip' } } })).data.id
  const conversations: Scene['conversations'] = []
  for (const name of ['Carla', 'Dora', 'Emil', 'Frida']) {
    const visitor = await startVisitor(server, world.acme.id, { name })
    const { conversation_id } = await startConversation(server, visitor, `This is ${name}.`)
    conversations.push({ id: conversation_id, visitor })
  }
  const screen = await Screen.open(server, world.acme.id, world.ada, [world.website.id, world.billing.id])
  onCleanup(() => screen.close())
  await screen.openThread(conversations[0]!.id)
  await screen.openThread(conversations[1]!.id)
  return { server, world, screen, tag_id, conversations }
})

const customerAt = ({ conversations }: Scene, index: number) => conversations[index]!.visitor.customer_id

const put =
  (conversation: object) =>
  async ({ server, world, conversations, index, who }: Act) => {
    const path = `/api/conversations/${conversations[index]!.id}`
    await server.request('PUT', path, { token: world[who].token, body: { conversation } })
  }

const write =
  (message: object) =>
  ({ server, world, conversations, index, who }: Act) =>
    server.request('POST', '/api/messages', {
      token: world[who].token,
      body: {
        message: { conversation_id: conversations[index]!.id, body: `${who} says`, id: randomUUID(), ...message },
      },
    })

const newestAt = async ({
  server,
  world,
  conversations,
  index,
}: Act): Promise<{ id: string; user_id: number | null } | undefined> =>
  (
    await server.request('GET', `/api/messages?conversation_id=${conversations[index]!.id}&limit=1`, {
      token: world.ada.token,
    })
  ).body.data[0]

/** Every change that affects the inbox. */
const ACTS: Record<string, (act: Act) => Promise<unknown>> = {
  'a customer writes': ({ server, conversations, index }) => {
    const { id, visitor } = conversations[index]!
    return server.request('POST', '/api/messages', {
      token: visitor.token,
      body: { message: { conversation_id: id, body: 'More.', id: randomUUID() } },
    })
  },
  'a customer starts another conversation': async ({ server, conversations, index }) => {
    const { visitor } = conversations[index]!
    const { conversation_id } = await startConversation(server, visitor, 'Something else.')
    conversations[index] = { id: conversation_id, visitor }
  },
  'a customer sees the replies': async ({ server, conversations, index }) => {
    const { id, visitor } = conversations[index]!
    const socket = new TestSocket(server.url, { token: visitor.token })
    // A deleted conversation is closed to its customer.
    const topic = await socket.join(`conversation:${id}`).catch(() => undefined)
    await topic?.push('messages:seen', {})
    socket.close()
  },
  'a user replies': write({}),
  'a user writes a note': write({ type: 'note', private: true }),
  'the last message is deleted': async (act) => {
    const { server, world } = act
    const last = await newestAt(act)
    if (last) await server.request('DELETE', `/api/messages/${last.id}`, { token: world.ada.token })
  },
  'a user’s last message is edited': async (act) => {
    const { server, world, value } = act
    const last = await newestAt(act)
    const message = { body: `Rather ${value}` }
    if (last?.user_id)
      await server.request('PUT', `/api/messages/${last.id}`, { token: world.ada.token, body: { message } })
  },
  'Ada is mentioned': (act) => write({ private: true, mentioned_user_ids: [act.world.ada.id] })({ ...act, who: 'ben' }),
  'Ada reads a conversation': ({ screen, conversations, index }) =>
    screen.team.push('read', { conversation_id: conversations[index]!.id }),
  'a conversation is closed': put({ status: 'closed' }),
  'a conversation is reopened': put({ status: 'open' }),
  'a conversation is marked unread': put({ read: false }),
  'a conversation gets priority': put({ priority: 'priority' }),
  'a conversation loses priority': put({ priority: 'not_priority' }),
  'a conversation is assigned or unassigned': (act) =>
    put({ assignee_id: [null, act.world.ada.id, act.world.ben.id][act.value % 3] })(act),
  'a conversation moves to another inbox': (act) =>
    put({ inbox_id: [act.world.website.id, act.world.billing.id][act.value % 2] })(act),
  'a conversation loses its inbox': async (act) => {
    const { server, world } = act
    const callApi = (method: string, path: string, body?: object) =>
      server.request(method, `/api/inboxes${path}`, { token: world.ada.token, body })
    const { body } = await callApi('POST', '', { inbox: { name: `Inbox ${act.value}` } })
    await put({ inbox_id: body.data.id })(act)
    await callApi('DELETE', `/${body.data.id}?move_to=${[world.website.id, world.billing.id][act.value % 2]}`)
  },
  'a conversation is deleted': ({ server, world, conversations, index, who }) =>
    server.request('POST', `/api/conversations/${conversations[index]!.id}/archive`, { token: world[who].token }),
  'a deleted conversation is restored': put({ archived_at: null }),
  'a conversation is snoozed': put({ snoozed: { until: null } }),
  'a conversation is unsnoozed': put({ snoozed: null }),
  'a customer is renamed': (act) => {
    const { server, world, index, who, value } = act
    return server.request('PUT', `/api/customers/${customerAt(act, index)}`, {
      token: world[who].token,
      body: { customer: { name: `Name ${value}` } },
    })
  },
  'two customers are merged': (act) => {
    const { server, world, conversations, index, who } = act
    return server.request('POST', `/api/customers/${customerAt(act, index)}/merge`, {
      token: world[who].token,
      body: { customer_id: customerAt(act, (index + 1) % conversations.length) },
    })
  },
  'they are separated again': (act) => {
    const { server, world, index, who } = act
    return server.request('POST', `/api/customers/${customerAt(act, index)}/unmerge`, { token: world[who].token })
  },
  'a customer rates a conversation': async (act) => {
    await put({ status: 'closed' })(act)
    const { server, conversations } = act
    const { id, visitor } = conversations[act.index]!
    const rating = { score: 1 + (act.value % 5), comment: null }
    await server.request('POST', `/api/conversations/${id}/rating`, { token: visitor.token, body: { rating } })
  },
  'a conversation is tagged': ({ server, world, conversations, tag_id, index, who }) =>
    server.request('POST', `/api/conversations/${conversations[index]!.id}/tags`, {
      token: world[who].token,
      body: { tag_id },
    }),
  'a tag is removed from a conversation': ({ server, world, conversations, tag_id, index, who }) =>
    server.request('DELETE', `/api/conversations/${conversations[index]!.id}/tags/${tag_id}`, {
      token: world[who].token,
    }),
}

/** A counter may be off by one until it is refetched after half a minute: when an event and a count overlap. */
const RECONCILED_MS = 45_000

/** Waits until all events have arrived and all refetches are done. */
async function expectAsFresh({ screen }: Scene) {
  const fresh = await screen.fresh()
  await vi.waitFor(() => expect(screen.applied()).toEqual(fresh), { timeout: RECONCILED_MS, interval: 20 })
}

test.for(Object.keys(ACTS))(
  '%s, and every list, thread and counter shows the same as after a reload',
  async (name, { scene }) => {
    for (const [index, value] of [
      [0, 1],
      [2, 2],
      [1, 0],
    ] as const) {
      await ACTS[name]!({ ...scene, index, value, who: value === 1 ? 'ada' : 'ben' })
      await expectAsFresh(scene)
    }
  },
)

test('any sequence of actions leads to the same as a reload', { timeout: 180_000 }, async ({ scene }) => {
  const act = fc.record({
    name: fc.constantFrom(...Object.keys(ACTS)),
    index: fc.nat(scene.conversations.length - 1),
    value: fc.nat(5),
    who: fc.constantFrom('ada' as const, 'ben' as const),
  })
  const walks = fc.array(act, { minLength: 5, maxLength: 20 })
  const walk = fc.asyncProperty(walks, async (steps) => {
    for (const { name, ...rest } of steps) await ACTS[name]!({ ...scene, ...rest })
    await expectAsFresh(scene)
  })
  await fc.assert(walk, { numRuns: 25, seed: 20_261_121, endOnFailure: true })
})
