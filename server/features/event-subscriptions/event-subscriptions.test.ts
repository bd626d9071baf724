import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeEach, vi } from 'vitest'
import { audit } from '#contract/audit.ts'
import { erasure } from '#contract/erasure.ts'
import { type EventSubscriptionDraft, eventSubscriptions } from '#contract/event-subscriptions.ts'
import { health } from '#contract/health.ts'
import { mails } from '#contract/mails.ts'
import { messages } from '#contract/messages.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { test as base, type Caller, expect } from '#tests/support/fixture.ts'
import type { TestServer } from '#tests/support/server.ts'
import { startReceiver, type WebhookReceiver } from '#tests/support/webhook-receiver.ts'
import { startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { claimDue, findNextDue } from './claim.ts'
import { dispatcherOf } from './dispatcher.ts'

const test = base.extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })

const TIMEOUT = { timeout: 20_000, interval: 50 }
const open: WebhookReceiver[] = []
let receiver: WebhookReceiver
beforeEach(async () => {
  receiver = await receive()
})
test.afterEach(async ({ as }) => {
  for (const { id } of withoutBystanders((await as.ada(eventSubscriptions.list)).data))
    await as.ada(eventSubscriptions.remove, { params: { id } })
})
afterAll(() => Promise.all(open.map((one) => one.close())))

async function receive(): Promise<WebhookReceiver> {
  const one = await startReceiver()
  open.push(one)
  return one
}

const subscribe = async (ada: Caller, more: Partial<EventSubscriptionDraft> = {}, to = receiver) =>
  (
    await ada(eventSubscriptions.create, {
      body: { event_subscription: { webhook_url: `${to.url}/hook`, ...more } as EventSubscriptionDraft },
    })
  ).data

const say = async (server: TestServer, world: World, body: string) => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Walker' })
  return { visitor, ...(await startConversation(server, visitor, body)) }
}
const bodies = (one = receiver) => one.received.map(({ body }) => body.payload.body)
/** Makes everything that waits for another try due. */
async function passTime({ context }: TestServer, hours = 1) {
  const { db } = context
  const ago = new Date(Date.now() - hours * 3_600_000).toISOString()
  await db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: ago, begun_at: ago })
    .where('state', '=', 'pending')
    .execute()
  await db
    .updateTable('event_subscriptions')
    .set({ failing_since: ago })
    .where('failing_since', 'is not', null)
    .execute()
  dispatcherOf(context).wake()
}

test('an address proves that it is meant by giving a text back, and needs a path', async ({ as }) => {
  const verify = async (url: string) => (await as.ada(eventSubscriptions.verify, { body: { url } })).data.verified
  expect(await verify(`${receiver.url}/hook`)).toBe(true)
  expect(await verify(`${receiver.url}/nobody`)).toBe(false)
  receiver.answer(({ body }, response) => void response.end(JSON.stringify({ challenge: body.payload })))
  expect(await verify(`${receiver.url}/nobody`)).toBe(true)
  for (const wrong of [receiver.url, 'ftp://a.b/c', 'nonsense', '', 'http://169.254.169.254/hook', 'http://10.0.0.1/x'])
    expect(await verify(wrong), wrong).toBe(false)
})

test('a message arrives in the words of the predecessor, signed as Standard Webhooks says', async ({
  as,
  server,
  world,
}) => {
  const { id } = await subscribe(as.ada)
  const { secret } = (await as.ada(eventSubscriptions.reveal, { params: { id } })).data
  const { conversation_id, message } = await say(server, world, 'Hello hook')
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), TIMEOUT)
  const [created, said] = receiver.received
  expect(created?.body).toMatchObject({
    event: 'conversation:created',
    payload: { id: conversation_id, object: 'conversation' },
  })
  expect(Object.keys(said!.body)).toEqual(['event', 'payload'])
  expect(said?.body).toMatchObject({
    event: 'message:created',
    payload: { id: message.id, body: 'Hello hook', conversation_id, customer: { name: 'Walker' }, attachments: [] },
  })
  const headers = said!.headers as Record<string, string>
  expect(headers['content-type']).toBe('application/json')
  expect(new Webhook(secret).verify(said!.text, headers)).toEqual(said?.body)
  expect(() => new Webhook(secret).verify(`${said!.text} `, headers)).toThrow()
})

test('for a day after a rotation the old secret and the new one both verify', async ({ as, server, world }) => {
  const { id } = await subscribe(as.ada)
  const old = (await as.ada(eventSubscriptions.reveal, { params: { id } })).data.secret
  const { secret } = (await as.ada(eventSubscriptions.rotate, { params: { id } })).data
  expect((await as.ada(eventSubscriptions.reveal, { params: { id } })).data.secret).toBe(secret)
  await say(server, world, 'Rotated')
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), TIMEOUT)
  for (const one of [old, secret]) {
    const { text, headers } = receiver.received[0]!
    expect(new Webhook(one).verify(text, headers as Record<string, string>)).toBeTruthy()
  }
  const { data } = await as.ada(audit.list, { query: { action: 'webhook' } })
  expect(data.slice(0, 4).map(({ action }) => action)).toEqual([
    'webhook.secret_revealed',
    'webhook.secret_rotated',
    'webhook.secret_revealed',
    'webhook.created',
  ])
  expect(JSON.stringify(data)).not.toContain(secret)
})

test('a webhook is told of the events that were chosen, of the first two without a choice, and of what scope names', async ({
  as,
  server,
  world,
}) => {
  expect((await subscribe(as.ada)).events).toEqual(['message:created', 'conversation:created'])
  expect((await subscribe(as.ada, { scope: 'conversation:updated' })).events).toEqual([
    'message:created',
    'conversation:created',
    'conversation:updated',
  ])
  const other = await receive()
  await subscribe(as.ada, { events: ['customer:updated'] }, other)
  const { visitor } = await say(server, world, 'Who am I?')
  const customer = { name: 'Wanda' }
  await server.request('PUT', `/api/customers/${visitor.customer_id}`, { token: world.ada.token, body: { customer } })
  await vi.waitFor(() => expect(other.received.at(-1)?.body.payload.name).toBe('Wanda'), TIMEOUT)
  expect(new Set(other.received.map(({ body }) => body.event))).toEqual(new Set(['customer:updated']))
})

test('a program that asks for it is not told of what it said itself', async ({ as, server, world }) => {
  await subscribe(as.ada)
  const { conversation_id } = await say(server, world, 'Question')
  const message = { conversation_id, body: 'Silent', metadata: { disable_webhook_events: true } }
  await as.ada(messages.create, { body: { message } })
  await as.ada(messages.create, { body: { message: { conversation_id, body: 'Loud' } } })
  await vi.waitFor(() => expect(bodies()).toContain('Loud'), TIMEOUT)
  expect(bodies()).not.toContain('Silent')
})

test('what fails is tried again, in the order of its conversation, and the log holds every try', async ({
  as,
  server,
  world,
}) => {
  const { id } = await subscribe(as.ada, { events: ['message:created'] })
  receiver.answer((_, response) => void response.writeHead(500).end('x'.repeat(5_000)))
  const { conversation_id } = await say(server, world, 'one')
  for (const body of ['two', 'three']) await as.ada(messages.create, { body: { message: { conversation_id, body } } })
  await vi.waitFor(() => expect(bodies()).toEqual(['one']), TIMEOUT)
  await vi.waitFor(async () => {
    expect((await as.ada(eventSubscriptions.get, { params: { id } })).data.state).toBe('failing')
  }, TIMEOUT)
  receiver.answer((_, response) => void response.end('ok'))
  await passTime(server)
  await vi.waitFor(() => expect(bodies()).toEqual(['one', 'one', 'two', 'three']), TIMEOUT)
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(ids[0]).toBe(ids[1])
  expect(new Set(ids).size).toBe(3)
  const log = async (query: object) => (await as.ada(eventSubscriptions.deliveries, { params: { id }, query })).data
  await vi.waitFor(async () => expect(await log({ state: 'delivered' })).toHaveLength(3), TIMEOUT)
  const { data } = await as.ada(eventSubscriptions.delivery, { params: { id, delivery_id: String(ids[0]) } })
  expect(data).toMatchObject({
    state: 'delivered',
    attempts: 2,
    event: 'message:created',
    body: receiver.received[0]?.text,
  })
  expect(data.tries.map(({ status, answer }) => [status, answer?.length])).toEqual([
    [500, 1000],
    [200, 2],
  ])
  expect((await as.ada(eventSubscriptions.get, { params: { id } })).data.state).toBe('healthy')
  expect(await log({ state: 'parked' })).toEqual([])
})

test('a failed delivery is tried again by itself after some seconds', async ({ as, server, world }) => {
  await subscribe(as.ada, { events: ['message:created'] })
  let isBroken = true
  receiver.answer((_, response) => {
    response.writeHead(isBroken ? 500 : 200).end()
    isBroken = false
  })
  await say(server, world, 'one')
  await vi.waitFor(() => expect(bodies()).toEqual(['one', 'one']), TIMEOUT)
})

test('redirects are not followed, and private addresses are not called', async ({ as, server, world }) => {
  const { id } = await subscribe(as.ada, { events: ['message:created'] })
  receiver.answer((_, response) => void response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end())
  await say(server, world, 'redirected')
  const last = async () => (await as.ada(eventSubscriptions.deliveries, { params: { id } })).data[0]?.last
  await vi.waitFor(async () => expect(await last()).toMatchObject({ status: 302 }), TIMEOUT)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  await server.context.db
    .updateTable('event_subscriptions')
    .set({ webhook_url: 'http://10.0.0.1/x' })
    .where('id', '=', id)
    .execute()
  await passTime(server)
  await vi.waitFor(async () => expect((await last())?.error).toMatch(/private address/), TIMEOUT)
})

test('a dead receiver and a slow one delay nobody else', async ({ as, server, world }) => {
  const [dead, slow] = [await receive(), await receive()]
  for (const one of [dead, slow, receiver]) await subscribe(as.ada, { events: ['message:created'] }, one)
  await dead.close()
  slow.answer(() => undefined)
  await Promise.all(Array.from({ length: 30 }, (_unused, at) => say(server, world, `crowd ${at}`)))
  await vi.waitFor(() => expect(receiver.received).toHaveLength(30), TIMEOUT)
  // The slow one got its maximum of concurrent requests, and the others did not wait for its timeout.
  expect(slow.received.length).toBeLessThanOrEqual(8)
})

test('a hundred thousand deliveries that wait at a busy webhook are not read to find those of another', async ({
  as,
  server,
  world,
}) => {
  const [busy, other] = [await subscribe(as.ada), await subscribe(as.ada)]
  const { db } = server.context
  const read = async (within: typeof db, work: () => Promise<unknown>) => {
    const count = sql<{ rows: string }>`
      select pg_stat_get_xact_tuples_returned(c) + pg_stat_get_xact_tuples_fetched(c) as rows
      from (select 'webhook_deliveries'::regclass as c) t`
    const before = (await count.execute(within)).rows[0]!.rows
    await work()
    return Number((await count.execute(within)).rows[0]!.rows) - Number(before)
  }
  class TakenBack extends Error {}
  const tried = db.transaction().execute(async (within) => {
    await sql`
      insert into webhook_deliveries (account_id, id, subscription_id, event, order_key, body, next_attempt_at)
      select ${world.acme.id}, gen_random_uuid(), ${busy.id}, 'message:created', n::text, '{}', now() - interval '1 hour'
      from generate_series(1, 100000) n`.execute(within)
    await sql`
      insert into webhook_deliveries (account_id, id, subscription_id, event, order_key, body, next_attempt_at)
      select ${world.acme.id}, gen_random_uuid(), ${other.id}, 'message:created', n::text, '{}', now() - interval '1 minute'
      from generate_series(1, 20) n`.execute(within)
    await sql`analyze webhook_deliveries`.execute(within)
    const claimed: string[] = []
    const claiming = await read(within, async () => {
      const taken = await claimDue(within, { limit: 8, busy: [busy.id] })
      claimed.push(...taken.map(({ subscription_id }) => subscription_id))
    })
    const sleeping = await read(within, () => findNextDue(within))
    expect(claimed).toEqual(Array(8).fill(other.id))
    // Each claim reads some rows and index entries, more than once.
    expect(claiming).toBeLessThan(1_000)
    expect(sleeping).toBeLessThan(1_000)
    throw new TakenBack()
  })
  await expect(tried).rejects.toThrow(TakenBack)
})

test('after a day a delivery is parked; after three days of failures the webhook is off and the admins are mailed', async ({
  as,
  server,
  world,
}) => {
  const { id, webhook_url } = await subscribe(as.ada, { events: ['message:created'] })
  receiver.answer((_, response) => void response.writeHead(503).end())
  await say(server, world, 'parked')
  const states = async () =>
    (await as.ada(eventSubscriptions.deliveries, { params: { id } })).data.map(({ state }) => state)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), TIMEOUT)
  await passTime(server, 25)
  await vi.waitFor(async () => expect(await states()).toEqual(['parked']), TIMEOUT)
  await say(server, world, 'off')
  await vi.waitFor(() => expect(receiver.received).toHaveLength(3), TIMEOUT)
  // A delivery that another server has claimed is parked with the others.
  const { conversation_id } = await say(server, world, 'beside')
  await vi.waitFor(async () => expect(await states()).toHaveLength(3), TIMEOUT)
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  await server.context.db
    .updateTable('webhook_deliveries')
    .set({ leased_until: inAnHour })
    .where('order_key', '=', conversation_id)
    .execute()
  await passTime(server, 73)
  const get = async () => (await as.ada(eventSubscriptions.get, { params: { id } })).data
  await vi.waitFor(async () => expect(await get()).toMatchObject({ state: 'off' }), TIMEOUT)
  const mail = (await as.ada(mails.list)).data.find(({ kind }) => kind === 'webhook_off')
  expect(mail).toMatchObject({
    recipient: world.ada.email,
    subject: `A webhook to ${new URL(webhook_url).host} was switched off`,
  })

  // Events that happen meanwhile are kept, and sent on request.
  receiver.answer((_, response) => void response.end())
  const since = new Date(Date.now() - 60_000).toISOString()
  await say(server, world, 'meanwhile')
  await vi.waitFor(async () => expect(await states()).toEqual(Array(4).fill('parked')), TIMEOUT)
  await expect(as.ada(eventSubscriptions.resendSince, { params: { id }, body: { since } })).rejects.toThrow(
    'switched off',
  )
  await as.ada(eventSubscriptions.update, { params: { id }, body: { event_subscription: { is_enabled: true } } })
  receiver.received.splice(0)
  expect((await as.ada(eventSubscriptions.resendSince, { params: { id }, body: { since } })).data.count).toBe(4)
  await vi.waitFor(() => expect(bodies().sort()).toEqual(['beside', 'meanwhile', 'off', 'parked']), TIMEOUT)
})

test('what waits for an address that fails is not overdue, though another webhook of the company works', async ({
  as,
  server,
  world,
}) => {
  await subscribe(as.ada, { events: ['message:created'] })
  const well = await receive()
  await subscribe(as.ada, { events: ['message:created'] }, well)
  receiver.answer((_, response) => void response.writeHead(503).end())
  await say(server, world, 'waits')
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), TIMEOUT)
  await vi.waitFor(() => expect(well.received).toHaveLength(1), TIMEOUT)
  const failing = () => as.ada(health.report).then(({ data }) => data.webhooks.failing)
  await vi.waitFor(async () => expect(await failing()).toBe(1), TIMEOUT)
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString()
  await server.context.db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: anHourAgo })
    .where('state', '=', 'pending')
    .where('account_id', '=', world.acme.id)
    .execute()
  const { backlogs } = (await as.ada(health.report)).data
  expect(backlogs.find(({ name }) => name === 'webhooks')!.count!.overdue_seconds).toBe(0)
})

test('a delivery is sent again with the same id when somebody asks for it', async ({ as, server, world }) => {
  const { id } = await subscribe(as.ada, { events: ['message:created'] })
  await say(server, world, 'again')
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), TIMEOUT)
  const delivery_id = String(receiver.received[0]?.headers['webhook-id'])
  await vi.waitFor(async () => {
    const { data } = await as.ada(eventSubscriptions.delivery, { params: { id, delivery_id } })
    expect(data.state).toBe('delivered')
  }, TIMEOUT)
  await as.ada(eventSubscriptions.resend, { params: { id, delivery_id } })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), TIMEOUT)
  expect(receiver.received[1]?.headers['webhook-id']).toBe(delivery_id)
})

test('words of a message that was deleted, and of a customer who was erased, stand in no log', async ({
  as,
  server,
  world,
}) => {
  const { id } = await subscribe(as.ada, { events: ['message:created', 'message:deleted'] })
  const { conversation_id, visitor } = await say(server, world, 'quokka in the pantry')
  const { data: said } = await as.ada(messages.create, { body: { message: { conversation_id, body: 'numbat too' } } })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), TIMEOUT)
  await as.ada(messages.remove, { params: { id: said.id } })
  await vi.waitFor(() => expect(receiver.received.at(-1)?.body.event).toBe('message:deleted'), TIMEOUT)
  const stored = async () =>
    JSON.stringify(await server.context.db.selectFrom('webhook_deliveries').selectAll().execute())
  expect(await stored()).not.toContain('numbat')
  expect(await stored()).toContain('quokka')
  await as.ada(erasure.erase, { params: { id: visitor.customer_id } })
  expect(await stored()).not.toContain('quokka')
  expect((await as.ada(eventSubscriptions.deliveries, { params: { id } })).data).toEqual([])
})

test('an update without an address keeps it verified, and one with another is verified anew', async ({ as }) => {
  const { id } = await subscribe(as.ada)
  const update = async (event_subscription: object) =>
    (await as.ada(eventSubscriptions.update, { params: { id }, body: { event_subscription } })).data
  expect(await update({ scope: 'conversation:updated' })).toMatchObject({ verified: true })
  expect(await update({ webhook_url: `${receiver.url}/nobody` })).toMatchObject({ verified: false })
  expect(await update({ is_enabled: false })).toMatchObject({ state: 'off' })
})

test('one company knows nothing of the webhooks of another', async ({ as }) => {
  const { id } = await subscribe(as.ada)
  const delivery_id = randomUUID()
  for (const ask of [
    () => as.olga(eventSubscriptions.get, { params: { id } }),
    () => as.olga(eventSubscriptions.rotate, { params: { id } }),
    () => as.olga(eventSubscriptions.deliveries, { params: { id } }),
    () => as.olga(eventSubscriptions.resend, { params: { id, delivery_id } }),
    () => as.olga(eventSubscriptions.resendSince, { params: { id }, body: { since: '2026-01-01' } }),
  ])
    await expect(ask()).rejects.toThrow('Not found')
  await expect(as.ben(eventSubscriptions.list)).rejects.toThrow('Unauthorized access')
})
