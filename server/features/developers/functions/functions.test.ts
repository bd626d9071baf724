import { vi } from 'vitest'
import { audit } from '#contract/accounts/audit.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { erasure } from '#contract/customers/erasure.ts'
import { functions, type Lambda, type LambdaDraft } from '#contract/developers/functions.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { expect } from '#tests/support/fixture.ts'
import {
  endedRuns,
  invokeFunction,
  makeFunction,
  runsOf,
  startFunction,
  TIMEOUT,
  test,
  writeAsVisitor,
} from '#tests/support/functions.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { recoverRuns } from './run-queue.ts'
import { KEPT } from './runs.ts'

test('a function is pending until it is deployed, then inactive, and active when it is switched on', async ({ as }) => {
  const made = await makeFunction(as.ada, 'const handler = () => 1', { description: 'Tries it' })
  expect(made).toMatchObject({
    object: 'lambda',
    name: 'Answer',
    description: 'Tries it',
    status: 'pending',
    language: 'javascript',
    runtime: 'nodejs14.x',
    events: ['message:created'],
    last_deployed_at: null,
  })
  const target = { params: { id: made.id } }
  const set = async (status: Lambda['status']) =>
    (await as.ada(functions.update, { ...target, body: { lambda: { status } } })).data.status
  expect(await set('active')).toBe('pending')
  await expect(invokeFunction(as.ada, made)).rejects.toThrow('This function has not been deployed.')
  const { data: deployed } = await as.ada(functions.deploy, { ...target, body: {} })
  expect(deployed).toMatchObject({ status: 'inactive', is_changed: false, last_deployed_at: expect.any(String) })
  expect(await set('active')).toBe('active')
  expect((await as.ada(functions.deploy, { ...target, body: {} })).data.status).toBe('active')
  expect(await set('pending')).toBe('active')
  expect(await set('inactive')).toBe('inactive')
  const { data } = await as.ada(audit.list, { query: { action: 'function' } })
  expect(data.filter(({ subject_id }) => subject_id === made.id).map(({ action }) => action)).toEqual([
    'function.deactivated',
    'function.deployed',
    'function.activated',
    'function.deployed',
    'function.created',
  ])
})

test('functions are listed by their last change, and found by name', async ({ as }) => {
  const first = await makeFunction(as.ada, '', { name: 'Greeter 100%' })
  await makeFunction(as.ada, '', { name: 'Second', description: 'Forwards' })
  await as.ada(functions.update, { params: first, body: { lambda: { code: 'const handler = 1' } } })
  const names = async (query: object) =>
    withoutBystanders((await as.ada(functions.list, { query })).data).map(({ name }) => name)
  expect(await names({})).toEqual(['Greeter 100%', 'Second'])
  expect(await names({ q: 'FORW' })).toEqual(['Second'])
  expect(await names({ q: '0%' })).toEqual(['Greeter 100%'])
  expect(await names({ name: 'Second', status: 'pending' })).toEqual(['Second'])
  expect(await names({ status: 'active' })).toEqual([])
})

test('functions are for admins, and another account finds none of them', async ({ as }) => {
  const { id } = await makeFunction(as.ada, '')
  await expect(as.ben(functions.list)).rejects.toThrow('Unauthorized access')
  for (const call of [functions.get, functions.remove, functions.runs] as const)
    await expect(as.olga(call, { params: { id } })).rejects.toThrow('Not found')
  await expect(as.olga(functions.deploy, { params: { id }, body: {} })).rejects.toThrow('Not found')
  await expect(invokeFunction(as.olga, { id })).rejects.toThrow('Not found')
})

test('watching admins are notified of runs, without their content, and nobody else is', async ({
  as,
  server,
  world,
}) => {
  const lambda = await startFunction(as.ada, 'const handler = () => 1')
  const topic = `functions:${world.acme.id}`
  const socket = new TestSocket(server.url, { token: world.ada.token })
  const received = await socket.join(topic)
  for (const token of [world.ben.token, world.olga.token]) {
    const other = new TestSocket(server.url, { token })
    await expect(other.join(topic)).rejects.toThrow()
    other.close()
  }
  await writeAsVisitor(server, world, 'For no other ears')
  await endedRuns(as.ada, lambda)
  expect(await received.receive('functions:ran', ({ function_id }) => function_id === lambda.id)).toEqual({
    function_id: lambda.id,
  })
  await invokeFunction(as.ada, lambda)
  expect(socket.frames.join('\n')).not.toContain('For no other ears')
  socket.close()
})

test('it runs for its subscribed events while it is active, and receives the payload', async ({
  as,
  server,
  world,
}) => {
  const lambda = await startFunction(as.ada, 'const handler = ({event, payload}) => [event, payload.object]', {
    events: ['conversation:created', 'conversation:updated'],
  })
  const { conversation_id } = await writeAsVisitor(server, world, 'Hi')
  await endedRuns(as.ada, lambda)
  await as.ada(conversations.update, {
    params: { id: conversation_id },
    body: { conversation: { priority: 'priority' } },
  })
  const runs = await endedRuns(as.ada, lambda, 2)
  expect(runs.map(({ result }) => result)).toContainEqual(['conversation:created', 'conversation'])
  expect(runs.map(({ result }) => result)).toContainEqual(['conversation:updated', 'conversation'])
  await as.ada(functions.update, { params: lambda, body: { lambda: { status: 'inactive' } } })
  const before = (await runsOf(as.ada, lambda)).length
  const other = await startFunction(as.ada, 'const handler = () => 1')
  await writeAsVisitor(server, world, 'Again')
  await endedRuns(as.ada, other)
  expect(await runsOf(as.ada, lambda)).toHaveLength(before)
})

test('runs of one conversation are in order, and a failed run is logged and not repeated', async ({
  as,
  server,
  world,
}) => {
  const lambda = await startFunction(
    as.ada,
    `async function handler({payload}) {
       await new Promise((done) => setTimeout(done, payload.body === '1' ? 300 : 1))
       if (payload.body === '2') throw new Error('Two is too much')
       return payload.body
     }`,
  )
  const { visitor, conversation_id } = await writeAsVisitor(server, world, '1')
  for (const body of ['2', '3'])
    await as.holder(visitor.token)(messages.create, { body: { message: { conversation_id, body } } })
  const runs = (await endedRuns(as.ada, lambda, 3)).toReversed()
  expect(runs.map(({ state }) => state)).toEqual(['succeeded', 'failed', 'succeeded'])
  expect(runs.map(({ result }) => result)).toEqual(['1', null, '3'])
  expect(runs[1]?.error?.errorMessage).toBe('Two is too much')
  const starts = runs.map(({ started_at }) => Date.parse(started_at ?? ''))
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
})

test('a test run uses the code in the editor or the deployed one, responds at once, and is listed with the runs', async ({
  as,
}) => {
  const lambda = await makeFunction(as.ada, 'const handler = ({event, payload}) => ({event, given: payload.n})')
  await as.ada(functions.deploy, { params: lambda, body: {} })
  const { data: changed } = await as.ada(functions.update, {
    params: lambda,
    body: { lambda: { code: 'const handler = () => { throw new RangeError("later") }' } },
  })
  expect(changed.is_changed).toBe(true)
  expect((await invokeFunction(as.ada, lambda, { n: 7 })).data).toEqual({ event: 'message:created', given: 7 })
  const { data, run } = await invokeFunction(as.ada, lambda, {}, true)
  expect(data).toMatchObject({ errorMessage: 'later', errorType: 'RangeError', trace: expect.any(Array) })
  expect(run).toMatchObject({ state: 'failed', is_test: true, error: data })
  expect((await runsOf(as.ada, lambda)).map(({ state }) => state)).toEqual(['failed', 'succeeded'])
  expect((await invokeFunction(as.ada, await startFunction(as.ada, 'const handler = () => {}'))).data).toBeNull()
  const odd = await startFunction(
    as.ada,
    `const handler = () => ['\\ud800', '\\u0000', '\\\\u0000', {__proto__: null, a: 1}]`,
  )
  await invokeFunction(as.ada, odd)
  expect((await runsOf(as.ada, odd))[0]?.result).toEqual(['\ufffd', '', '\\u0000', { a: 1 }])
})

test('only the newest hundred runs are kept, and the queue has a limit', async ({ as, server, world }) => {
  const lambda = await startFunction(as.ada, 'const handler = () => 1')
  const { db } = server.context
  const row = (state: 'succeeded' | 'queued') => () => ({
    account_id: world.acme.id,
    id: crypto.randomUUID(),
    function_id: lambda.id,
    event: 'message:created',
    state,
  })
  await db
    .insertInto('function_runs')
    .values(Array.from({ length: 150 }, row('succeeded')))
    .execute()
  await invokeFunction(as.ada, lambda)
  const runs = await runsOf(as.ada, lambda)
  expect(runs).toHaveLength(KEPT)
  expect(runs[0]).toMatchObject({ is_test: true })
  const { count } = await db
    .selectFrom('function_runs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('function_id', '=', lambda.id)
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(KEPT)
})

test('a function never runs for its own change, and functions that trigger each other end', async ({
  as,
  server,
  world,
}) => {
  const events: LambdaDraft['events'] = ['customer:updated']
  const rename = `const parley = require('parley')()
    const handler = ({payload: {id}}) => parley.customers.update(id, {name: crypto.randomUUID()})`
  const { visitor } = await writeAsVisitor(server, world, 'Round and round')
  const both = [await startFunction(as.ada, rename, { events }), await startFunction(as.ada, rename, { events })]
  await as.ada(customerProfiles.update, {
    params: { id: visitor.customer_id },
    body: { customer: { name: 'Renamed' } },
  })
  const countByDepth = async () => {
    const rows = await server.context.db
      .selectFrom('function_runs')
      .select(['depth', 'state'])
      .where(
        'function_id',
        'in',
        both.map(({ id }) => id),
      )
      .execute()
    expect(rows.map(({ state }) => state)).not.toContain('failed')
    return Object.fromEntries(
      [...Map.groupBy(rows, ({ depth }) => depth)].map(([depth, { length }]) => [depth, length]),
    )
  }
  // Both run for the person's change, for the other's change, and for the one after that.
  await expect.poll(countByDepth, TIMEOUT).toEqual({ 0: 2, 1: 2, 2: 2 })
  // A later change only starts runs for itself: nothing of the first was pending.
  await as.ada(customerProfiles.update, {
    params: { id: visitor.customer_id },
    body: { customer: { name: 'Once more' } },
  })
  await expect.poll(countByDepth, TIMEOUT).toEqual({ 0: 4, 1: 4, 2: 4 })
})

test('events beyond a thousand waiting ones are skipped, and counted in the list of runs', async ({
  as,
  server,
  world,
}) => {
  const lambda = await startFunction(as.ada, 'const handler = () => 1')
  const conversation_id = crypto.randomUUID()
  const { db } = server.context
  const row = { account_id: world.acme.id, function_id: lambda.id, event: 'message:created', conversation_id }
  const waiting = Array.from({ length: 1_000 }, () => ({ ...row, id: crypto.randomUUID(), state: 'queued' as const }))
  // A run that never ends delays those behind it.
  const held = { ...row, id: crypto.randomUUID(), state: 'running' as const, leased_until: '2100-01-01T00:00:00Z' }
  await db.insertInto('function_runs').values(held).execute()
  await db.insertInto('function_runs').values(waiting).execute()
  const expectSkipped = async (count: string) =>
    vi.waitFor(async () => {
      const [newest] = await runsOf(as.ada, lambda)
      expect(newest).toMatchObject({
        event: 'message:created',
        state: 'failed',
        error: { errorMessage: `${count} not run because 1,000 were waiting.` },
      })
    }, TIMEOUT)
  await writeAsVisitor(server, world, 'One too many')
  await expectSkipped('1 event was')
  await writeAsVisitor(server, world, 'Two too many')
  await expectSkipped('2 events were')
})

test('the run of a server that died has failed, and the next ones continue', async ({ as, server, world }) => {
  const lambda = await startFunction(as.ada, 'const handler = ({payload}) => payload.n')
  const conversation_id = crypto.randomUUID()
  const row = { account_id: world.acme.id, function_id: lambda.id, event: 'message:created', conversation_id }
  const ago = new Date(Date.now() - 1_000).toISOString()
  const { db } = server.context
  for (const more of [{ state: 'running' as const, leased_until: ago }, { payload: toJson({ n: 2 }) }])
    await db
      .insertInto('function_runs')
      .values({ ...row, ...more, id: crypto.randomUUID() })
      .execute()
  await recoverRuns(server.context)
  const [second, first] = await endedRuns(as.ada, lambda, 2)
  expect(first).toMatchObject({
    state: 'failed',
    error: { errorMessage: expect.stringContaining('The server stopped') },
  })
  expect(second).toMatchObject({ state: 'succeeded', result: 2 })
})

test('runs contain no deleted messages and no erased customers', async ({ as, server, world }) => {
  const lambda = await startFunction(as.ada, 'const handler = ({payload}) => console.log(payload.body)')
  const remaining = await writeAsVisitor(server, world, 'quince one')
  const deleted = await writeAsVisitor(server, world, 'quince two')
  await endedRuns(as.ada, lambda, 2)
  await as.ada(messages.remove, { params: { id: deleted.message.id } })
  await vi.waitFor(async () => expect(await runsOf(as.ada, lambda)).toHaveLength(1), TIMEOUT)
  await as.ada(erasure.erase, { params: { id: remaining.visitor.customer_id } })
  await vi.waitFor(async () => expect(JSON.stringify(await runsOf(as.ada, lambda))).not.toContain('quince'), TIMEOUT)
})
