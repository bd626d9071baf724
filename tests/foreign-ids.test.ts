import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe } from 'vitest'
import * as z from 'zod/mini'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { scheduledMessages } from '#contract/conversations/scheduled-messages.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import { endpoints } from '#contract/index.ts'
import { NewId } from '#contract/wire.ts'
import { test as base, type Callers, expect, refusalOf } from '#tests/support/fixture.ts'
import type { TestServer } from './support/server.ts'
import { startConversation, startVisitor, type VisitorInWorld, type World } from './support/world.ts'

/** Clients create ids, so an attacker may choose one that exists in another company. */

const newToken = () => randomBytes(32).toString('base64url')

interface Scene {
  as: Callers
  world: World
  /** A visitor of the other company with a conversation. */
  vera: VisitorInWorld & { conversation_id: string }
}

const draftOf = (vera: Scene['vera'], id: string) => ({ id, conversation_id: vera.conversation_id, body: 'Hi' })

/** Every call that takes an id created by the client, by caller. */
const CALLS: Record<
  string,
  { table: 'conversations' | 'messages' | 'customers'; call(scene: Scene, id: string): Promise<unknown> }[]
> = {
  'POST /api/conversations': [
    {
      table: 'conversations',
      call: ({ as, vera }, id) => as.holder(vera.token)(conversations.create, { body: { conversation: { id } } }),
    },
    {
      table: 'conversations',
      call: ({ as, vera }, id) => {
        const conversation = { id, customer_id: vera.customer_id, message: { body: 'Hi' } }
        return as.olga(conversations.create, { body: { conversation } })
      },
    },
    {
      table: 'messages',
      call: ({ as, vera }, id) => {
        const conversation = { customer_id: vera.customer_id, message: { id, body: 'Hi' } }
        return as.olga(conversations.create, { body: { conversation } })
      },
    },
  ],
  'POST /api/messages': [
    {
      table: 'messages',
      call: ({ as, vera }, id) => as.holder(vera.token)(messages.create, { body: { message: draftOf(vera, id) } }),
    },
    {
      table: 'messages',
      call: ({ as, vera }, id) => as.olga(messages.create, { body: { message: draftOf(vera, id) } }),
    },
  ],
  'POST /api/scheduled_messages': [
    {
      table: 'messages',
      call: ({ as, vera }, id) => {
        const scheduled_message = { ...draftOf(vera, id), undo_seconds: 30 }
        return as.olga(scheduledMessages.create, { body: { scheduled_message } })
      },
    },
  ],
  'POST /api/scheduled_messages/suggestions': [
    {
      table: 'messages',
      call: ({ as, vera }, id) => {
        const suggestion = { id, conversation_id: vera.conversation_id, body: 'Hi', last_seen_number: 1000 }
        return as.olga(scheduledMessages.suggest, { body: { suggestion } })
      },
    },
  ],
  'POST /api/visitor_sessions': [
    {
      table: 'customers',
      call: ({ as, world }, customer_id) => {
        const visitor_session = { account_id: world.other.id, token: newToken(), customer_id }
        return as.anybody(customers.startSession, { body: { visitor_session } })
      },
    },
  ],
}

/** Calls that need a connected vendor, and the file of their own test. */
const ELSEWHERE = {
  'POST /api/conversations/:conversation_id/whatsapp_templates': 'server/integrations/whatsapp/templates.test.ts',
}

async function idsOf(server: TestServer, visitor: VisitorInWorld) {
  const { conversation_id, message } = await startConversation(server, visitor)
  return { conversations: conversation_id, messages: message.id as string, customers: visitor.customer_id }
}

const test = base
  .extend('vera', { scope: 'file' }, async ({ world, server }) => {
    const visitor = await startVisitor(server, world.other.id)
    return { ...visitor, conversation_id: (await startConversation(server, visitor)).conversation_id }
  })
  .extend('acme', { scope: 'file' }, ({ world, server }) => idsOf(server, world.carla))
  /** The same kinds of ids, of somebody else in the other company. */
  .extend('neighbour', { scope: 'file' }, async ({ world, server }) => {
    return idsOf(server, await startVisitor(server, world.other.id))
  })
  .extend('connect', ({ openSocket }) => (params: Record<string, string>, topic: string) => {
    return openSocket(params).join(topic)
  })
  .extend('everything', ({ server }) => async (): Promise<unknown[]> => {
    const counts: unknown[] = []
    for (const table of ['customers', 'conversations', 'messages', 'visitor_sessions', 'events']) {
      const { rows } = await sql`select to_jsonb(t)::text from ${sql.table(table)} t order by 1`.execute(
        server.context.db,
      )
      counts.push(rows)
    }
    return counts
  })

test('the list above names every call whose body contains an id generated by the client', () => {
  const { pattern } = z.toJSONSchema(NewId)
  const holds = (body: z.ZodMiniType | undefined) =>
    !!body &&
    JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })).includes(JSON.stringify(pattern))
  const calls = endpoints.filter(({ body }) => holds(body)).map(({ method, path }) => `${method} ${path}`)
  expect(calls.sort()).toEqual(Object.keys({ ...CALLS, ...ELSEWHERE }).sort())
})

describe.each(Object.entries(CALLS))('%s', (_, calls) => {
  test('refuses an id of another company with the same message as any taken id, and changes nothing', async ({
    as,
    world,
    vera,
    everything,
    acme,
    neighbour,
  }) => {
    const scene = { as, world, vera }
    for (const { table, call } of calls) {
      const before = await everything()
      const foreign = await refusalOf(call(scene, acme[table]))
      expect(foreign.status).toBe(422)
      expect(foreign.body).toEqual((await refusalOf(call(scene, neighbour[table]))).body)
      expect(JSON.stringify(foreign.body)).toContain('has already been taken')
      expect(await everything()).toEqual(before)
    }
  })
})

test('a message on a socket with an id of another company is refused and received by nobody', async ({
  as,
  world,
  connect,
  acme,
  vera,
}) => {
  const carla = await connect({ visitor_token: world.carla.token }, `conversation:${acme.conversations}`)
  const team = await connect({ token: world.ada.token }, `notification:${world.acme.id}`)
  const visitor = await connect({ visitor_token: vera.token }, `conversation:${vera.conversation_id}`)
  const olga = await connect({ token: world.olga.token }, `notification:${world.other.id}`)
  await expect(visitor.push('shout', draftOf(vera, acme.messages))).rejects.toThrow('has already been taken')
  await expect(olga.push('shout', draftOf(vera, acme.messages))).rejects.toThrow('has already been taken')
  await visitor.push('shout', draftOf(vera, randomUUID()))
  await olga.receive('shout')
  await as.carla(messages.create, { body: { message: { conversation_id: acme.conversations, body: 'last' } } })
  await carla.receive('shout', ({ body }) => body === 'last')
  await team.receive('shout', ({ body }) => body === 'last')
  const received = [...carla.received, ...team.received].filter(({ event }) => event === 'shout')
  expect(received.map(({ payload }) => payload.body)).toEqual(['last', 'last'])
})

test('the id of a merged customer cannot be used in another company', async ({ as, world, server, vera }) => {
  const absorbed = await startVisitor(server, world.acme.id)
  const body = { customer_id: absorbed.customer_id }
  await as.ada(customerProfiles.merge, { params: { id: world.carla.customer_id }, body })
  const { call } = CALLS['POST /api/visitor_sessions']![0]!
  await expect(call({ as, world, vera }, absorbed.customer_id)).rejects.toMatchObject({ status: 422 })
})

test('people of one company cannot join topics of another', async ({ as, world, vera, connect }) => {
  const { data } = await as.anybody(customers.create, { body: { customer: { account_id: world.acme.id } } })
  const customer_id: string = data.id
  const opened = await as.anybody(conversations.create, {
    body: {
      conversation: { account_id: world.acme.id, customer_id },
    },
  })
  // The conversation of a client without token: open to anonymous callers, but not to members of another account.
  const topics = [
    `conversation:${opened.data.id}`,
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
