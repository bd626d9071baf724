import { sql } from 'kysely'
import { afterAll, vi } from 'vitest'
import { messages } from '#contract/conversations/messages.ts'
import { eventSubscriptions } from '#contract/developers/webhooks.ts'
import { mails } from '#contract/mail/mails.ts'
import { health } from '#contract/operations/health.ts'
import { expect } from '#tests/support/fixture.ts'
import {
  bodies,
  closeReceivers,
  passTime,
  receiver,
  removeWebhooks,
  renewReceiver,
  startOneReceiver,
  subscribe,
  TIMEOUT,
  test,
  writeAsVisitor,
} from '#tests/support/webhooks.ts'
import { claimDue, findNextDue } from './claim.ts'

test.beforeEach(renewReceiver)
test.afterEach(({ as }) => removeWebhooks(as))
afterAll(closeReceivers)

test('failed deliveries are retried in the order of their conversation, and the log has every attempt', async ({
  as,
  server,
  world,
}) => {
  const { id } = await subscribe(as.ada, { events: ['message:created'] })
  receiver.answer((_, response) => void response.writeHead(500).end('x'.repeat(5_000)))
  const { conversation_id } = await writeAsVisitor(server, world, 'one')
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

test('a failed delivery is retried automatically after some seconds', async ({ as, server, world }) => {
  await subscribe(as.ada, { events: ['message:created'] })
  let isBroken = true
  receiver.answer((_, response) => {
    response.writeHead(isBroken ? 500 : 200).end()
    isBroken = false
  })
  await writeAsVisitor(server, world, 'one')
  await vi.waitFor(() => expect(bodies()).toEqual(['one', 'one']), TIMEOUT)
})

test('an unreachable or slow receiver delays no other', async ({ as, server, world }) => {
  const [dead, slow] = [await startOneReceiver(), await startOneReceiver()]
  for (const target of [dead, slow, receiver]) await subscribe(as.ada, { events: ['message:created'] }, target)
  await dead.close()
  slow.answer(() => undefined)
  await Promise.all(Array.from({ length: 30 }, (_unused, at) => writeAsVisitor(server, world, `crowd ${at}`)))
  await vi.waitFor(() => expect(receiver.received).toHaveLength(30), TIMEOUT)
  // The slow one got its maximum of concurrent requests, and the others did not wait for its timeout.
  expect(slow.received.length).toBeLessThanOrEqual(8)
})

test('a hundred thousand waiting deliveries of a busy webhook do not slow down another', async ({
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
      const rows = await claimDue(within, { limit: 8, busy: [busy.id] })
      claimed.push(...rows.map(({ subscription_id }) => subscription_id))
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
  await writeAsVisitor(server, world, 'parked')
  const states = async () =>
    (await as.ada(eventSubscriptions.deliveries, { params: { id } })).data.map(({ state }) => state)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), TIMEOUT)
  await passTime(server, 25)
  await vi.waitFor(async () => expect(await states()).toEqual(['parked']), TIMEOUT)
  await writeAsVisitor(server, world, 'off')
  await vi.waitFor(() => expect(receiver.received).toHaveLength(3), TIMEOUT)
  // A delivery that another server has claimed is parked with the others.
  const { conversation_id } = await writeAsVisitor(server, world, 'beside')
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
  await writeAsVisitor(server, world, 'meanwhile')
  await vi.waitFor(async () => expect(await states()).toEqual(Array(4).fill('parked')), TIMEOUT)
  await expect(as.ada(eventSubscriptions.resendSince, { params: { id }, body: { since } })).rejects.toThrow(
    'switched off',
  )
  await as.ada(eventSubscriptions.update, { params: { id }, body: { event_subscription: { is_enabled: true } } })
  receiver.received.splice(0)
  expect((await as.ada(eventSubscriptions.resendSince, { params: { id }, body: { since } })).data.count).toBe(4)
  await vi.waitFor(() => expect(bodies().sort()).toEqual(['beside', 'meanwhile', 'off', 'parked']), TIMEOUT)
})

test('deliveries waiting for a failing URL do not count as overdue', async ({ as, server, world }) => {
  await subscribe(as.ada, { events: ['message:created'] })
  const well = await startOneReceiver()
  await subscribe(as.ada, { events: ['message:created'] }, well)
  receiver.answer((_, response) => void response.writeHead(503).end())
  await writeAsVisitor(server, world, 'waits')
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
