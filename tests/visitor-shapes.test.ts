import { expect } from 'vitest'
import type * as z from 'zod/mini'
import { User } from '#contract/accounts/users.ts'
import { Conversation, ConversationRow, conversations, Mention, Tag } from '#contract/conversations/conversations.ts'
import { Message, messages, StoredFile } from '#contract/conversations/messages.ts'
import { Rating } from '#contract/conversations/ratings.ts'
import { Company } from '#contract/customers/companies.ts'
import { Customer } from '#contract/customers/customers.ts'
import { events } from '#contract/events.ts'
import { endpoints } from '#contract/index.ts'
import { BrowserSession } from '#contract/widget/live-sessions.ts'
import { WidgetSettingsRow } from '#contract/widget/widget-settings.ts'
import { getConversation } from '#server/features/conversations/conversations/conversations.ts'
import { conversationForVisitor } from '#server/features/conversations/conversations/for-visitor.ts'
import { forCustomer } from '#server/features/conversations/messages/for-customer.ts'
import { getCustomer } from '#server/features/customers/customers/customers.ts'
import { customerForId, customerForVisitor, customerInChat } from '#server/features/customers/customers/for-visitor.ts'
import { customerSide } from '#server/features/developers/events/customer-side.ts'
import { toJson } from '#server/platform/db/to-json.ts'
import { test } from './support/fixture.ts'
import { startConversation } from './support/world.ts'

/** Shapes of the team. Each has a counterpart for visitors, which names what they may see. */
const OF_THE_TEAM = {
  BrowserSession,
  Company,
  Conversation,
  ConversationRow,
  Customer,
  Mention,
  Message,
  Rating,
  StoredFile,
  Tag,
  User,
  WidgetSettingsRow,
}

/** The shapes inside a shape, itself included. */
function shapesIn(schema: z.core.$ZodType, seen = new Set<unknown>()): Set<unknown> {
  if (seen.has(schema)) return seen
  seen.add(schema)
  const { def } = (schema as z.core.$ZodTypes)._zod
  const parts: z.core.$ZodType[] =
    def.type === 'object'
      ? Object.values(def.shape)
      : def.type === 'array'
        ? [def.element]
        : def.type === 'nullable' || def.type === 'optional'
          ? [def.innerType]
          : def.type === 'union'
            ? [...def.options]
            : def.type === 'record'
              ? [def.valueType]
              : []
  for (const part of parts) shapesIn(part, seen)
  return seen
}

test('no answer for visitors contains a shape of the team', () => {
  const open = endpoints.filter(({ who }) => ['anyone', 'visitor', 'user or visitor'].includes(who))
  const leaks = open.flatMap((endpoint) => {
    const shapes = shapesIn(endpoint.visitor_answer ?? endpoint.answer)
    const named = Object.entries(OF_THE_TEAM).filter(([, shape]) => shapes.has(shape))
    return named.map(([name]) => `${endpoint.method} ${endpoint.path} ${name}`)
  })
  expect(leaks).toEqual([])
})

/** Adds a field that no shape names to an object and to everything inside it. */
function withSurplus<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withSurplus) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => {
    // Metadata is the visitor's own, with any keys.
    return [key, key === 'metadata' ? inner : withSurplus(inner)]
  })
  return { ...Object.fromEntries(entries), surplus: 'for the team' } as T
}

test('a new field of a row reaches no visitor until a shape names it', async ({ as, world, server }) => {
  const { conversation_id } = await startConversation(server, world.carla, 'Hello')
  const { data: answer } = await as.ada(messages.create, { body: { message: { conversation_id, body: 'Hi' } } })
  const { db } = server.context
  const customer = withSurplus(await getCustomer(db, world.acme.id, world.carla.customer_id))
  const conversation = withSurplus(await getConversation(db, world.acme.id, conversation_id))
  const message = withSurplus({ ...answer, attachments: [{ id: 'a' } as never], customer })
  expect(JSON.stringify([customer, conversation, message])).toContain('surplus')
  const { customer_id } = world.carla
  const shown = [
    customerForVisitor(customer, new Set()),
    customerInChat(customer),
    customerForId(customer, { name: 'Carla' }, new Set()),
    conversationForVisitor(conversation),
    forCustomer(message),
    forCustomer(message, { name: 'Lumen', logo: null }),
    customerSide({ type: 'message:created', message, customer_id }),
    customerSide({ type: 'message:updated', message, customer_id }),
    customerSide({ type: 'conversation:created', conversation }),
    customerSide({ type: 'conversation:updated', conversation }),
  ]
  expect(JSON.stringify(shown)).not.toContain('surplus')
})

test('what visitors catch up on has only declared fields, whatever the log contains', async ({ as, world, server }) => {
  const { cursor } = await as.carla(events.after)
  const { conversation_id } = await startConversation(server, world.carla, 'Hello again')
  await as.ada(messages.create, { body: { message: { conversation_id, body: 'Hi again' } } })
  await as.ada(conversations.update, { params: { id: conversation_id }, body: { conversation: { status: 'closed' } } })
  const log = await server.context.db
    .selectFrom('events')
    .select(['id', 'event'])
    .where('account_id', '=', world.acme.id)
    .where('customer_id', '=', world.carla.customer_id)
    .execute()
  for (const { id, event } of log) {
    await server.context.db
      .updateTable('events')
      .set({ event: toJson(withSurplus(event)) })
      .where('account_id', '=', world.acme.id)
      .where('id', '=', id)
      .execute()
  }
  const { data } = await as.carla(events.after, { query: { after: cursor } })
  expect(data.map(({ event }) => event)).toEqual(expect.arrayContaining(['shout', 'conversation:status']))
  expect(JSON.stringify(data)).not.toContain('surplus')
})

test('visitors see of an agent who is online only since when, and the id', async ({ world, openSocket }) => {
  await openSocket({ token: world.ada.token }).join(`notification:${world.acme.id}`)
  const room = await openSocket().join(`room:${world.acme.id}`)
  const state = await room.receive('presence_state', (presences) => `user:${world.ada.id}` in presences)
  const [meta] = state[`user:${world.ada.id}`].metas
  expect(Object.keys(meta).sort()).toEqual(['online_at', 'phx_ref', 'user_id'])
})
