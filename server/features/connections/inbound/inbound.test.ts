import { sql } from 'kysely'
import { beforeEach, vi } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { fakeIntegration } from '#tests/support/fake-integration.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import type { HostileInput, work } from '#tests/support/hostile-work.ts'
import type { TestServer } from '#tests/support/server.ts'
import { isStored } from '#tests/support/stored-file.ts'
import type { World } from '#tests/support/world.ts'
import { PermanentFailure, RetryLater } from '../../../integration.ts'
import { claimRenewal } from '../../../platform/jobs/claims.ts'
import { WorkersStopped } from '../../../platform/workers/worker-errors.ts'
import { defineTask } from '../../../platform/workers/worker-task.ts'
import { deleteInboundWith, pruneInbound } from './inbound-events.ts'
import { inboundOf } from './process.ts'
import { type NewInboundEvent, storeBytes, storeInbound } from './store-event.ts'

const fake = fakeIntegration()
const test = base.extend('extra', { scope: 'file' }, { feature: fake.feature })

const TIMEOUT = { timeout: 30_000, interval: 50 }
beforeEach(() => {
  fake.received.length = 0
  fake.receive = () => ({ state: 'done' })
})
test.afterEach(({ server, world }) =>
  server.context.db.deleteFrom('inbound_events').where('account_id', '=', world.acme.id).execute(),
)

const eventOf = (world: World, key: string): NewInboundEvent => ({
  account_id: world.acme.id,
  integration: 'mattermost',
  authorization_id: null,
  key,
  queue: 'thread',
  payload: { text: key },
})
const store = ({ context }: TestServer, world: World, key: string, more: Partial<NewInboundEvent> = {}) =>
  context.change((tx) => storeInbound(context, tx, { ...eventOf(world, key), ...more }))
const texts = () => fake.received.map(({ payload }) => payload.text)
async function passTime({ context }: TestServer, seconds = 90) {
  const ago = new Date(Date.now() - seconds * 1000).toISOString()
  const waiting = context.db.updateTable('inbound_events').where('state', '=', 'waiting')
  await waiting.set({ not_before: ago }).execute()
  await waiting.where('failing_since', 'is not', null).set({ failing_since: ago }).execute()
  inboundOf(context).wake()
}

const hostileTask = defineTask<typeof work>('test.hostile', {
  module: new URL('../../../../tests/support/hostile-work.ts', import.meta.url),
  timeoutMs: 1_000,
})
const work_on = ({ context }: TestServer, account_id: string, input: HostileInput) =>
  hostileTask.run(context.workers, { account_id, bytes: 1 }, input)

test('what kills its worker twice is set aside with its reason, while everything else goes on, and can be tried again', async ({
  as,
  server,
  world,
}) => {
  let isHarmless = false
  fake.receive = async ({ key, account_id }) => {
    await work_on(server, account_id, key === 'bomb' && !isHarmless ? { kind: 'spin' } : { kind: 'say', text: key })
    return { state: 'done' }
  }
  const stateOf = async (state: 'waiting' | 'done' | 'failed') =>
    (await as.ada(integrations.inboundEvents, { query: { state } })).data
  await store(server, world, 'bomb')
  await store(server, world, 'harmless', { queue: 'another thread' })
  await vi.waitFor(async () => expect(await stateOf('done')).toHaveLength(1), TIMEOUT)
  await vi.waitFor(
    async () => expect((await stateOf('waiting'))[0]?.reason).toContain('It will be tried once more.'),
    TIMEOUT,
  )
  await passTime(server)
  await vi.waitFor(async () => expect(await stateOf('failed')).toHaveLength(1), TIMEOUT)
  const [bomb] = await stateOf('failed')
  expect(bomb).toMatchObject({
    tries: 2,
    reason: 'It took more than 1 seconds, so the attempt was ended. This happened twice, so it was set aside.',
  })
  await store(server, world, 'next in its thread')
  await vi.waitFor(async () => expect(await stateOf('done')).toHaveLength(2), TIMEOUT)
  isHarmless = true
  await as.ada(integrations.retryInbound, { params: { id: bomb!.id } })
  await vi.waitFor(async () => expect(await stateOf('done')).toHaveLength(3), TIMEOUT)
})

test('an event whose worker was ended because the server stops waits for the next start, and this is no try', async ({
  as,
  server,
  world,
}) => {
  let isStopping = true
  fake.receive = () => {
    if (isStopping) throw new WorkersStopped()
    return { state: 'done' }
  }
  await store(server, world, 'interrupted')
  const read = async () => (await as.ada(integrations.inboundEvents)).data
  await vi.waitFor(() => expect(fake.received).toHaveLength(1), TIMEOUT)
  await vi.waitFor(async () => expect(await read()).toMatchObject([{ state: 'waiting', tries: 0 }]), TIMEOUT)
  isStopping = false
  await passTime(server)
  await vi.waitFor(async () => expect(await read()).toMatchObject([{ state: 'done', tries: 1 }]), TIMEOUT)
})

test('an event that was begun six times without any outcome is not begun again', async ({ as, server, world }) => {
  fake.receive = () => {
    throw new WorkersStopped()
  }
  const read = async () => (await as.ada(integrations.inboundEvents)).data
  await store(server, world, 'deadly')
  await vi.waitFor(() => expect(fake.received).toHaveLength(1), TIMEOUT)
  // Its release sets the number of tries, so it has to be over.
  await vi.waitFor(async () => expect(await read()).toMatchObject([{ state: 'waiting', tries: 0 }]), TIMEOUT)
  fake.receive = () => ({ state: 'done' })
  await server.context.db
    .updateTable('inbound_events')
    .set({ tries: 6, taken_until: null })
    .where('account_id', '=', world.acme.id)
    .execute()
  await passTime(server)
  await vi.waitFor(
    async () =>
      expect(await read()).toMatchObject([
        { state: 'failed', reason: expect.stringContaining('Every server that began to read it stopped') },
      ]),
    TIMEOUT,
  )
  expect(fake.received).toHaveLength(1)
})

test('a repeated event is stored and processed once', async ({ as, server, world }) => {
  expect(await store(server, world, 'a')).toBe(true)
  expect(await store(server, world, 'a')).toBe(false)
  await vi.waitFor(
    async () => expect((await as.ada(integrations.inboundEvents)).data).toMatchObject([{ state: 'done', tries: 1 }]),
    TIMEOUT,
  )
  expect(await store(server, world, 'a')).toBe(false)
  expect(texts()).toEqual(['a'])
})

test('a queue is processed in order, and a failing event delays it by a minute at most', async ({
  as,
  server,
  world,
}) => {
  fake.receive = ({ key }) => {
    if (key === 'bad') throw new RetryLater('The profile cannot be fetched.')
    return { state: 'done' }
  }
  for (const key of ['bad', 'next']) await store(server, world, key)
  await store(server, world, 'elsewhere', { queue: 'other' })
  await vi.waitFor(() => expect(texts().sort()).toEqual(['bad', 'elsewhere']), TIMEOUT)
  await passTime(server, 10)
  await vi.waitFor(() => expect(texts().filter((text) => text === 'bad')).toHaveLength(2), TIMEOUT)
  expect(texts()).not.toContain('next')
  await passTime(server, 90)
  await vi.waitFor(() => expect(texts()).toContain('next'), TIMEOUT)
  // The next one is waiting, too, until its outcome is stored.
  await vi.waitFor(async () => {
    const { data } = await as.ada(integrations.inboundEvents, { query: { state: 'waiting' } })
    expect(data).toMatchObject([{ reason: 'The profile cannot be fetched.' }])
  }, TIMEOUT)
})

test('a server keeps its claims while it works, and events of a killed server wait a minute', async ({
  server,
  world,
}) => {
  const { db } = server.context
  const receiving = Promise.withResolvers<{ state: 'done' }>()
  fake.receive = () => receiving.promise
  await store(server, world, 'slow')
  await vi.waitFor(() => expect(texts()).toEqual(['slow']), TIMEOUT)
  const own = db.selectFrom('inbound_events').select(['account_id', 'id', 'tries']).where('key', '=', 'slow')
  const claimed = await own.executeTakeFirstOrThrow()
  const secondsLeft = async () => {
    const left = sql<number>`date_part('epoch', taken_until - clock_timestamp())`.as('left')
    return (await db.selectFrom('inbound_events').select(left).where('key', '=', 'slow').executeTakeFirstOrThrow()).left
  }
  expect(await secondsLeft()).toBeLessThanOrEqual(60)
  const nearlyOver = sql<string>`clock_timestamp() + interval '5 seconds'`
  await db.updateTable('inbound_events').set({ taken_until: nearlyOver }).where('key', '=', 'slow').execute()
  const { renew } = claimRenewal(db, 'inbound_events')
  await renew([{ ...claimed, tries: claimed.tries + 1 }])
  expect(await secondsLeft()).toBeLessThanOrEqual(5)
  await renew([claimed])
  expect(await secondsLeft()).toBeGreaterThan(30)
  receiving.resolve({ state: 'done' })
  await vi.waitFor(async () => expect(await secondsLeft()).toBeNull(), TIMEOUT)
  await renew([claimed])
  expect(await secondsLeft()).toBeNull()
})

test('at most eight events of an account are processed at a time; further claimed ones are released untried', async ({
  server,
  world,
}) => {
  const held = Promise.withResolvers<{ state: 'done' }>()
  fake.receive = () => held.promise
  const storeAll = (keys: string[]) =>
    server.context.change(async (tx) => {
      for (const key of keys) await storeInbound(server.context, tx, { ...eventOf(world, key), queue: key })
    })
  await storeAll(['1', '2', '3', '4', '5'])
  await vi.waitFor(() => expect(fake.received).toHaveLength(5), TIMEOUT)
  await storeAll(['6', '7', '8', '9', '10', '11', '12'])
  await vi.waitFor(() => expect(fake.received).toHaveLength(8), TIMEOUT)
  const triesOf = (isTaken: boolean) =>
    server.context.db
      .selectFrom('inbound_events')
      .select('tries')
      .where('account_id', '=', world.acme.id)
      .where('taken_until', isTaken ? 'is not' : 'is', null)
      .execute()
      .then((rows) => rows.map(({ tries }) => tries))
  await vi.waitFor(async () => expect(await triesOf(false)).toEqual([0, 0, 0, 0]), TIMEOUT)
  expect(await triesOf(true)).toEqual(Array(8).fill(1))
  held.resolve({ state: 'done' })
  await vi.waitFor(() => expect(fake.received).toHaveLength(12), TIMEOUT)
})

test('after six attempts it has failed, with its reason, until a user retries it', async ({ as, server, world }) => {
  fake.receive = () => {
    throw new Error('of no use to anybody')
  }
  await store(server, world, 'broken')
  for (let tries = 1; tries <= 6; tries++) {
    await vi.waitFor(() => expect(fake.received).toHaveLength(tries), TIMEOUT)
    await vi.waitFor(async () => {
      const [event] = (await as.ada(integrations.inboundEvents)).data
      expect(event?.reason).toBeTruthy()
      expect(event?.tries).toBe(tries)
    }, TIMEOUT)
    await passTime(server)
  }
  const [event] = (await as.ada(integrations.inboundEvents, { query: { state: 'failed' } })).data
  expect(event?.reason).not.toContain('of no use')
  await expect(as.olga(integrations.retryInbound, { params: { id: event!.id } })).rejects.toMatchObject({ status: 404 })
  await expect(as.ben(integrations.retryInbound, { params: { id: event!.id } })).rejects.toThrow('Unauthorized access')
  fake.receive = () => {
    throw new PermanentFailure('It is broken as well.')
  }
  await store(server, world, 'another', { queue: 'another thread' })
  const failed = async () => (await as.ada(integrations.inboundEvents, { query: { state: 'failed' } })).data
  await vi.waitFor(async () => expect(await failed()).toHaveLength(2), TIMEOUT)
  fake.receive = () => ({ state: 'done' })
  await as.ada(integrations.retryInbound, { params: { id: event!.id } })
  const done = async () => (await as.ada(integrations.inboundEvents, { query: { state: 'done' } })).data
  await vi.waitFor(async () => expect(await done()).toMatchObject([{ id: event!.id }]), TIMEOUT)
  expect(await failed()).toMatchObject([{ reason: 'It is broken as well.' }])
})

test('the file of an event is deleted once processed, and kept if ignored', async ({ server, world }) => {
  const { context } = server
  const file_key = await storeBytes(context, world.acme.id, Buffer.from('a whole mail'))
  const ignored_key = await storeBytes(context, world.acme.id, Buffer.from('another'))
  fake.receive = ({ key }) => (key === 'newsletter' ? { state: 'ignored', reason: 'A newsletter.' } : { state: 'done' })
  await store(server, world, 'mail', { file_key })
  await store(server, world, 'newsletter', { file_key: ignored_key, payload: { from: 'Nora@News.test' } })
  await vi.waitFor(() => expect(fake.received).toHaveLength(2), TIMEOUT)
  expect(fake.received[0]?.bytes?.toString()).toBe('a whole mail')
  await vi.waitFor(async () => expect(await isStored(context.files, file_key)).toBe(false), TIMEOUT)
  expect(await isStored(context.files, ignored_key)).toBe(true)
  await context.change((tx) => deleteInboundWith(context, tx, world.acme.id, ['nora@news.test']))
  await vi.waitFor(async () => expect(await isStored(context.files, ignored_key)).toBe(false), TIMEOUT)
})

test('incoming events are deleted after two weeks', async ({ as, server, world }) => {
  fake.receive = () => {
    throw new PermanentFailure('It cannot be read.')
  }
  await store(server, world, 'old')
  await vi.waitFor(
    async () => expect((await as.ada(integrations.inboundEvents)).data).toMatchObject([{ state: 'failed' }]),
    TIMEOUT,
  )
  await pruneInbound(server.context)
  expect((await as.ada(integrations.inboundEvents)).data).toHaveLength(1)
  const old = new Date(Date.now() - 15 * 86_400_000).toISOString()
  await server.context.db.updateTable('inbound_events').set({ created_at: old }).where('key', '=', 'old').execute()
  await pruneInbound(server.context)
  expect((await as.ada(integrations.inboundEvents)).data).toEqual([])
})
