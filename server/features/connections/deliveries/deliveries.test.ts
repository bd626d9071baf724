import { beforeEach, vi } from 'vitest'
import { deliveries } from '#contract/connections/deliveries.ts'
import { integrations } from '#contract/connections/integrations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { mails } from '#contract/mail/mails.ts'
import { connectWebsite } from '#tests/support/connect.ts'
import { fakeIntegration } from '#tests/support/fake-integration.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import { passTime } from '#tests/support/pass-time.ts'
import type { TestServer } from '#tests/support/server.ts'
import { startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { ConnectionRevoked, PermanentFailure, RetryLater } from '../../../integration.ts'
import { WorkersStopped } from '../../../platform/workers/worker-errors.ts'
import { linkMessage } from '../external-links/external-links.ts'
import { findNextDelivery } from './claim.ts'

const fake = fakeIntegration()
const test = base.extend('extra', { scope: 'file' }, { feature: fake.feature })

const TIMEOUT = { timeout: 30_000, interval: 50 }
beforeEach(() => {
  fake.sent.length = 0
  fake.outcomes.length = 0
  fake.lookedFor.length = 0
  fake.receipts.clear()
})
test.afterEach(async ({ as }) => {
  for (const { id } of (await as.ada(integrations.list)).data) {
    await as.ada(integrations.remove, { params: { id }, query: { discard: 'true' } })
  }
})

async function postAll(server: TestServer, world: World, ...bodies: string[]) {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Walker' })
  const { conversation_id } = await startConversation(server, visitor, bodies[0])
  for (const body of bodies.slice(1)) {
    await server.request('POST', '/api/messages', {
      token: visitor.token,
      body: { message: { conversation_id, body } },
    })
  }
  return conversation_id
}

const sentBodies = () => fake.sent.map(({ payload }) => payload.body)
const statesOf = async (as: Callers, conversation_id: string) =>
  (await as.ben(deliveries.ofConversation, { params: { conversation_id } })).data.map(({ state }) => state)

test('messages of one conversation are sent in order, also if one of them fails first', async ({
  as,
  server,
  world,
}) => {
  await connectWebsite(server, world)
  fake.outcomes.push(() => {
    throw new RetryLater('They are busy.')
  })
  const conversation_id = await postAll(server, world, 'one', 'two', 'three')
  await vi.waitFor(
    async () => expect(await statesOf(as, conversation_id)).toEqual(['waiting', 'waiting', 'waiting']),
    TIMEOUT,
  )
  await vi.waitFor(() => expect(sentBodies()).toEqual(['one']), TIMEOUT)
  const [first] = (await as.ben(deliveries.ofConversation, { params: { conversation_id } })).data.slice(-1)
  expect(first).toMatchObject({ state: 'waiting', problem: 'They are busy.', tries: 1, integration: 'mattermost' })
  await passTime(server)
  await vi.waitFor(async () => expect(await statesOf(as, conversation_id)).toEqual(['sent', 'sent', 'sent']), TIMEOUT)
  expect(sentBodies()).toEqual(['one', 'one', 'two', 'three'])
  expect(await findNextDelivery(server.context.db), 'nothing is looked for once all is sent').toBeUndefined()
})

test('a final failure has a readable reason, the next message is sent, and a user may retry or discard it', async ({
  as,
  server,
  world,
}) => {
  await connectWebsite(server, world)
  const never = () => {
    throw new PermanentFailure('The number has unsubscribed.')
  }
  fake.outcomes.push(never)
  const conversation_id = await postAll(server, world, 'lost', 'next')
  await vi.waitFor(async () => expect(await statesOf(as, conversation_id)).toEqual(['sent', 'failed']), TIMEOUT)
  const failed = (await as.ada(deliveries.list, { query: { state: 'failed' } })).data
  expect(failed).toMatchObject([{ problem: 'The number has unsubscribed.', conversation_id }])
  const { id } = failed[0]!
  const list = (await as.ada(integrations.list)).data
  expect(list).toMatchObject([{ waiting_count: 0, failed_count: 1, label: '#support' }])
  fake.outcomes.push(never)
  await as.ben(deliveries.retry, { params: { id } })
  await vi.waitFor(() => expect(sentBodies()).toEqual(['lost', 'next', 'lost']), TIMEOUT)
  await vi.waitFor(async () => expect(await statesOf(as, conversation_id)).toEqual(['sent', 'failed']), TIMEOUT)
  await as.ben(deliveries.discard, { params: { id } })
  expect(await statesOf(as, conversation_id)).toEqual(['sent', 'dropped'])
})

test('after an unknown outcome, a delivery is searched for in the other system before it is sent again', async ({
  as,
  server,
  world,
}) => {
  await connectWebsite(server, world)
  fake.outcomes.push(() => {
    throw new Error('The line broke.')
  })
  const conversation_id = await postAll(server, world, 'once')
  await vi.waitFor(() => expect(sentBodies()).toEqual(['once']), TIMEOUT)
  const [delivery] = (await as.ben(deliveries.ofConversation, { params: { conversation_id } })).data
  fake.receipts.set(delivery!.id, { external_id: 'found' })
  await vi.waitFor(async () => expect((await as.ada(integrations.list)).data[0]!.state).toBe('resting'), TIMEOUT)
  // While looking for it fails, nothing is sent again.
  fake.lookUpFailures.push(new RetryLater('They are busy.'))
  await passTime(server)
  await vi.waitFor(
    async () =>
      expect((await as.ben(deliveries.ofConversation, { params: { conversation_id } })).data).toMatchObject([
        { state: 'waiting', problem: 'They are busy.' },
      ]),
    TIMEOUT,
  )
  await passTime(server)
  await vi.waitFor(async () => expect(await statesOf(as, conversation_id)).toEqual(['sent']), TIMEOUT)
  expect(fake.lookedFor).toEqual([delivery!.id, delivery!.id])
  expect(sentBodies()).toEqual(['once'])
})

test('a message that no worker process was free to write is written later, and nobody is asked whether it arrived', async ({
  as,
  server,
  world,
}) => {
  await connectWebsite(server, world)
  fake.outcomes.push(() => {
    throw new WorkersStopped()
  })
  const conversation_id = await postAll(server, world, 'patience')
  await vi.waitFor(
    async () =>
      expect((await as.ben(deliveries.ofConversation, { params: { conversation_id } })).data).toMatchObject([
        { state: 'waiting', problem: expect.stringContaining('too busy to write this message') },
      ]),
    TIMEOUT,
  )
  await passTime(server)
  await vi.waitFor(async () => expect(await statesOf(as, conversation_id)).toEqual(['sent']), TIMEOUT)
  expect(fake.lookedFor).toEqual([])
})

test('waiting deliveries are sent within ten minutes after an outage, once another one succeeded', async ({
  as,
  server,
  world,
}) => {
  await connectWebsite(server, world)
  const away = () => {
    throw new Error('The line broke.')
  }
  fake.outcomes.push(away)
  const waiting = await postAll(server, world, 'said in the outage')
  await vi.waitFor(async () => expect((await as.ada(integrations.list)).data[0]!.problem).toBeTruthy(), TIMEOUT)
  const inHours = new Date(Date.now() + 6 * 3_600_000).toISOString()
  const { db } = server.context
  await db.updateTable('deliveries').set({ not_before: inHours }).where('conversation_id', '=', waiting).execute()
  await db.updateTable('authorizations').set({ paused_until: null }).execute()
  const later = await postAll(server, world, 'said after it')
  await vi.waitFor(async () => expect(await statesOf(as, later)).toEqual(['sent']), TIMEOUT)
  const [delivery] = (await as.ben(deliveries.ofConversation, { params: { conversation_id: waiting } })).data
  const minutes = (Date.parse(delivery!.next_try_at!) - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(5)
  expect(minutes).toBeLessThanOrEqual(10)
})

test('a broken connection keeps its deliveries, notifies the admins once, and sends them in order when connected again', async ({
  as,
  server,
  world,
}) => {
  const { id } = await connectWebsite(server, world)
  const broken = () => {
    throw new ConnectionRevoked('They revoked the token.')
  }
  fake.outcomes.push(broken, broken)
  const conversation_id = await postAll(server, world, 'first')
  const other = await postAll(server, world, 'elsewhere')
  await vi.waitFor(
    async () => expect((await as.ada(integrations.list)).data).toMatchObject([{ id, state: 'broken' }]),
    TIMEOUT,
  )
  await passTime(server)
  const written = (await as.ada(mails.list)).data.filter(({ kind }) => kind === 'integration_broken')
  expect(written.map(({ recipient }) => recipient)).toContain(world.ada.email)
  expect(new Set(written.map(({ recipient }) => recipient)).size).toBe(written.length)
  fake.outcomes.length = 0
  const again = await connectWebsite(server, world)
  expect(again).toMatchObject({ id, state: 'connected', problem: null })
  await passTime(server)
  await vi.waitFor(
    async () =>
      expect([...(await statesOf(as, conversation_id)), ...(await statesOf(as, other))]).toEqual(['sent', 'sent']),
    TIMEOUT,
  )
})

test('nothing is sent back to its origin, and notes and customers’ messages never are', async ({
  as,
  server,
  world,
}) => {
  const { id } = await connectWebsite(server, world)
  const conversation_id = await postAll(server, world, 'from the customer')
  await vi.waitFor(() => expect(sentBodies()).toEqual(['from the customer']), TIMEOUT)
  const account_id = world.acme.id
  const message_id = crypto.randomUUID()
  await server.context.change((tx) =>
    linkMessage(tx, { account_id, authorization_id: id, external_id: 'theirs', message_id, direction: 'in' }),
  )
  await as.ben(messages.create, {
    body: { message: { id: message_id, conversation_id, body: 'written there' } } as never,
  })
  await as.ben(messages.create, {
    body: { message: { conversation_id, body: 'a note', type: 'note', private: true } } as never,
  })
  await vi.waitFor(() => expect(sentBodies()).toEqual(['from the customer', 'a note']), TIMEOUT)
  Object.assign(fake.integration, { role: 'origin' })
  await as.ben(messages.create, {
    body: { message: { conversation_id, body: 'hidden', type: 'note', private: true } } as never,
  })
  await as.ben(messages.create, { body: { message: { conversation_id, body: 'to the customer' } } as never })
  await vi.waitFor(() => expect(sentBodies()).toEqual(['from the customer', 'a note', 'to the customer']), TIMEOUT)
  Object.assign(fake.integration, { role: 'mirror' })
})

test('a delivery of a server that died is continued by another one, which searches for it first', async ({
  as,
  server,
  world,
}) => {
  await connectWebsite(server, world)
  const hung = Promise.withResolvers<never>()
  hung.promise.catch(() => undefined)
  fake.outcomes.push(() => hung.promise)
  const conversation_id = await postAll(server, world, 'in between')
  await vi.waitFor(() => expect(sentBodies()).toEqual(['in between']), TIMEOUT)
  await passTime(server)
  await vi.waitFor(async () => expect(await statesOf(as, conversation_id)).toEqual(['sent']), TIMEOUT)
  expect(fake.lookedFor).toHaveLength(1)
  hung.reject(new RetryLater('Too late.'))
})

test('deliveries of another account are not accessible', async ({ as, server, world }) => {
  const { id } = await connectWebsite(server, world)
  const conversation_id = await postAll(server, world, 'ours')
  await vi.waitFor(async () => expect(await statesOf(as, conversation_id)).toEqual(['sent']), TIMEOUT)
  const [delivery] = (await as.ben(deliveries.ofConversation, { params: { conversation_id } })).data
  const strange = [
    () => as.olga(deliveries.retry, { params: { id: delivery!.id } }),
    () => as.olga(deliveries.discard, { params: { id: delivery!.id } }),
    () => as.olga(deliveries.ofConversation, { params: { conversation_id } }),
    () => as.olga(integrations.test, { params: { id } }),
    () => as.olga(integrations.remove, { params: { id } }),
  ]
  for (const call of strange) await expect(call()).rejects.toMatchObject({ status: 404 })
  expect((await as.olga(deliveries.list)).data).toEqual([])
})

test('disconnecting deletes the credentials and may keep waiting deliveries for the next connection', async ({
  as,
  server,
  world,
}) => {
  const { id } = await connectWebsite(server, world)
  const { db } = server.context
  const credentials = () =>
    db
      .selectFrom('authorization_credentials')
      .selectAll()
      .where('account_id', '=', world.acme.id)
      .where('authorization_id', '=', id)
      .execute()
  const [row] = await credentials()
  expect(row?.encrypted.includes('a token of theirs')).toBe(false)
  fake.outcomes.push(() => {
    throw new RetryLater('They are busy.')
  })
  const conversation_id = await postAll(server, world, 'kept')
  await vi.waitFor(() => expect(sentBodies()).toEqual(['kept']), TIMEOUT)
  await as.ada(integrations.remove, { params: { id } })
  expect(await credentials()).toEqual([])
  await passTime(server)
  expect(await statesOf(as, conversation_id)).toEqual(['waiting'])
  expect((await connectWebsite(server, world)).id).toBe(id)
  await passTime(server)
  await vi.waitFor(async () => expect(await statesOf(as, conversation_id)).toEqual(['sent']), TIMEOUT)
})
