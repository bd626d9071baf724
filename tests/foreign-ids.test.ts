import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoints } from '#contract/index.ts'
import { NewId } from '#contract/wire.ts'
import { type Answer, startTestServer, type TestServer } from './support/server.ts'
import { TestSocket } from './support/sockets.ts'
import { createWorld, startConversation, startVisitor, type VisitorInWorld, type World } from './support/world.ts'

/** Clients make ids, so a stranger may choose one that stands in another company. */

let server: TestServer
let world: World
/** A visitor of the other company, with a conversation of its own. */
let vera: VisitorInWorld & { conversation_id: string }
let acme: { conversations: string; messages: string; customers: string }
/** The same kinds of ids, of somebody else in the other company itself. */
let neighbour: typeof acme
const open: TestSocket[] = []

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
  acme = await idsOf(world.carla)
  neighbour = await idsOf(await startVisitor(server, world.other.id))
  const visitor = await startVisitor(server, world.other.id)
  vera = { ...visitor, conversation_id: (await startConversation(server, visitor)).conversation_id }
})
afterAll(async () => {
  for (const socket of open) socket.close()
  await server.close()
})

async function idsOf(visitor: VisitorInWorld) {
  const { conversation_id, message } = await startConversation(server, visitor)
  return { conversations: conversation_id, messages: message.id as string, customers: visitor.customer_id }
}

async function connect(params: Record<string, string>, topic: string, payload: object = {}) {
  const socket = new TestSocket(server.url, params)
  open.push(socket)
  return socket.join(topic, payload)
}

const post = (path: string, token: string | undefined, body: object) => server.request('POST', path, { token, body })
const newToken = () => randomBytes(32).toString('base64url')

/** Every call that takes an id made by the client, by who calls it. */
const CALLS: Record<string, { table: keyof typeof acme; call(id: string): Promise<Answer> }[]> = {
  'POST /api/conversations': [
    { table: 'conversations', call: (id) => post('/api/conversations', vera.token, { conversation: { id } }) },
    {
      table: 'conversations',
      call: (id) => {
        const conversation = { id, customer_id: vera.customer_id, message: { body: 'Hi' } }
        return post('/api/conversations', world.olga.token, { conversation })
      },
    },
    {
      table: 'messages',
      call: (id) => {
        const conversation = { customer_id: vera.customer_id, message: { id, body: 'Hi' } }
        return post('/api/conversations', world.olga.token, { conversation })
      },
    },
  ],
  'POST /api/messages': [
    { table: 'messages', call: (id) => post('/api/messages', vera.token, { message: said(id) }) },
    { table: 'messages', call: (id) => post('/api/messages', world.olga.token, { message: said(id) }) },
  ],
  'POST /api/visitor_sessions': [
    {
      table: 'customers',
      call: (customer_id) => {
        const visitor_session = { account_id: world.other.id, token: newToken(), customer_id }
        return post('/api/visitor_sessions', undefined, { visitor_session })
      },
    },
  ],
}
const said = (id: string) => ({ id, conversation_id: vera.conversation_id, body: 'Hi' })

test('the list above names every call whose body holds an id made by the client', () => {
  const { pattern } = z.toJSONSchema(NewId)
  const holds = (body: z.ZodMiniType | undefined) =>
    !!body &&
    JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })).includes(JSON.stringify(pattern))
  const calls = endpoints.filter(({ body }) => holds(body)).map(({ method, path }) => `${method} ${path}`)
  expect(calls.sort()).toEqual(Object.keys(CALLS).sort())
})

describe.each(Object.entries(CALLS))('%s', (_, calls) => {
  test('refuses an id that stands in another company, in the words for any id that is taken, and changes nothing', async () => {
    for (const { table, call } of calls) {
      const before = await everything()
      const foreign = await call(acme[table])
      expect(foreign.status).toBe(422)
      expect(foreign.body).toEqual((await call(neighbour[table])).body)
      expect(JSON.stringify(foreign.body)).toContain('has already been taken')
      expect(await everything()).toEqual(before)
    }
  })
})

test('a message said over a socket under an id of another company is refused and received by nobody', async () => {
  const carla = await connect({ visitor_token: world.carla.token }, `conversation:${acme.conversations}`)
  const team = await connect({ token: world.ada.token }, `notification:${world.acme.id}`)
  const visitor = await connect({ visitor_token: vera.token }, `conversation:${vera.conversation_id}`)
  const olga = await connect({ token: world.olga.token }, `notification:${world.other.id}`)
  await expect(visitor.push('shout', said(acme.messages))).rejects.toThrow('has already been taken')
  await expect(olga.push('shout', said(acme.messages))).rejects.toThrow('has already been taken')
  await visitor.push('shout', said(randomUUID()))
  await olga.receive('shout')
  await post('/api/messages', world.carla.token, { message: { conversation_id: acme.conversations, body: 'last' } })
  await carla.receive('shout', ({ body }) => body === 'last')
  await team.receive('shout', ({ body }) => body === 'last')
  const received = [...carla.received, ...team.received].filter(({ event }) => event === 'shout')
  expect(received.map(({ payload }) => payload.body)).toEqual(['last', 'last'])
})

test('the id of a customer who became part of another cannot be taken in another company', async () => {
  const absorbed = await startVisitor(server, world.acme.id)
  const path = `/api/customers/${world.carla.customer_id}/merge`
  const body = { customer_id: absorbed.customer_id }
  expect((await server.request('POST', path, { token: world.ada.token, body })).status).toBe(200)
  const { status } = await CALLS['POST /api/visitor_sessions']![0]!.call(absorbed.customer_id)
  expect(status).toBe(422)
})

test('whoever belongs to one company joins no topic of another', async () => {
  const { body } = await post('/api/customers', undefined, { customer: { account_id: world.acme.id } })
  const customer_id: string = body.data.id
  const opened = await post('/api/conversations', undefined, {
    conversation: { account_id: world.acme.id, customer_id },
  })
  // Of a client that knows ids alone: it opens to strangers, but not to those who belong elsewhere.
  const topics = [
    `conversation:${opened.body.data.id}`,
    `conversation:lobby:${customer_id}`,
    `issue:lobby:${customer_id}`,
    `notification:${world.acme.id}`,
    `room:${world.acme.id}`,
  ]
  for (const topic of topics) {
    for (const params of [{ token: world.olga.token }, { visitor_token: vera.token }] as Record<string, string>[]) {
      await expect(connect(params, topic), topic).rejects.toThrow(/unauthorized/i)
    }
  }
})

async function everything(): Promise<unknown[]> {
  const counts: unknown[] = []
  for (const table of ['customers', 'conversations', 'messages', 'visitor_sessions', 'events']) {
    const { rows } = await sql`select to_jsonb(t)::text from ${sql.table(table)} t order by 1`.execute(
      server.context.db,
    )
    counts.push(rows)
  }
  return counts
}
