import { messages } from '#contract/conversations/messages.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { type ClientEvent, events } from '#contract/events.ts'
import { type Caller, expect, test } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const fetchEvents = (who: Caller, after?: string, limit = 500) => who(events.after, { query: { limit, after } })
const bodiesOf = (events: ClientEvent[]) =>
  events.flatMap((entry) => (entry.event === 'shout' ? [entry.payload.body] : []))
const post = (who: Caller, message: BodyInput<typeof messages.create>['message']) =>
  who(messages.create, { body: { message } })

test('a client that was offline receives everything after its cursor, in order and in pages', async ({
  as,
  world,
  server,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  let { cursor } = await fetchEvents(as.ada)
  for (let i = 0; i < 9; i++) await post(as.carla, { conversation_id, body: `${i}` })
  const received: ClientEvent[] = []
  for (let more = true; more; ) {
    const page = await fetchEvents(as.ada, cursor, 4)
    received.push(...page.data)
    ;({ cursor, more } = page)
  }
  expect(bodiesOf(received).slice(-9)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8'])
  await expect
    .poll(async () => {
      const page = await fetchEvents(as.ada, cursor)
      cursor = page.cursor
      return page.data
    })
    .toEqual([])
})

test('no event of a slower transaction is ever skipped', async ({ as, world, server }) => {
  const slow = await startConversation(server, world.carla)
  const fast = await startConversation(server, await startVisitor(server, world.acme.id))
  const { cursor } = await fetchEvents(as.ada)
  const { postMessage } = await import('#server/features/conversations/conversations/posting.ts')
  const author = { kind: 'customer' as const, customer_id: world.carla.customer_id }
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let hasWritten = () => {}
  const written = new Promise<void>((resolve) => (hasWritten = resolve))
  const slowly = server.context.change(async (tx) => {
    await postMessage(server.context, tx, world.acme.id, author, {
      conversation_id: slow.conversation_id,
      body: 'slow',
    })
    hasWritten()
    await held
  })
  await written
  await post(as.ada, { conversation_id: fast.conversation_id, body: 'fast' })
  const between = await fetchEvents(as.ada, cursor)
  release()
  await slowly
  const after = await fetchEvents(as.ada, between.cursor)
  expect(bodiesOf(between.data), 'what has committed is returned at once').toContain('fast')
  expect(bodiesOf(after.data), 'what committed later is returned later').toContain('slow')
})

test('a visitor receives the events of their own conversations, never a private note', async ({
  as,
  world,
  server,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const other = await startConversation(server, await startVisitor(server, world.acme.id))
  const { cursor } = await fetchEvents(as.carla)
  await post(as.ada, { conversation_id, body: 'secret', type: 'note' })
  await post(as.ada, { conversation_id, body: 'for Carla' })
  await post(as.ada, { conversation_id: other.conversation_id, body: 'for somebody else' })
  const { data } = await fetchEvents(as.carla, cursor)
  expect(bodiesOf(data).at(-1)).toBe('for Carla')
  expect(bodiesOf(data)).not.toContain('for somebody else')
  expect(JSON.stringify(data)).not.toContain('secret')
})

test('visitors who ask at the same moment each receive their own events, however long and whatever their cursor', async ({
  as,
  world,
  server,
}) => {
  const { cursor } = await fetchEvents(as.carla)
  const visitors = await Promise.all(
    Array.from({ length: 45 }, async (_, i) => {
      const visitor = await startVisitor(server, i % 9 === 8 ? world.other.id : world.acme.id)
      for (let message = 0; message <= i % 3; message++) await startConversation(server, visitor, `of visitor ${i}`)
      return as.holder(visitor.token)
    }),
  )
  const answers = await Promise.all([
    ...visitors.map((visitor) => fetchEvents(visitor, cursor)),
    ...visitors.map((visitor) => fetchEvents(visitor, cursor, 1)),
    ...visitors.map((visitor) => fetchEvents(visitor)),
    ...visitors.map((visitor) => fetchEvents(visitor, 'nonsense')),
  ])
  for (const i of visitors.keys()) {
    const [everything, first, current, invalid] = [0, 1, 2, 3].map((kind) => answers[kind * visitors.length + i]!)
    expect(bodiesOf(everything!.data)).toEqual(Array.from({ length: (i % 3) + 1 }, () => `of visitor ${i}`))
    expect(first).toMatchObject({ more: true, reset: false })
    expect(first!.data).toEqual(everything!.data.slice(0, 1))
    expect(current).toMatchObject({ data: [], more: false, reset: false })
    expect(invalid).toMatchObject({ data: [], more: false, reset: true })
  }
})

test('another account receives nothing', async ({ as, world, server }) => {
  const { cursor } = await fetchEvents(as.olga)
  await startConversation(server, world.carla)
  const { data } = await fetchEvents(as.olga, cursor)
  // Her own earlier events may come again while an older transaction is open, such as one of another test file.
  expect(JSON.stringify(data)).not.toContain(world.acme.id)
})

test('a request without a cursor returns the current one and no events', async ({ as, world, server }) => {
  await startConversation(server, world.carla)
  expect(await fetchEvents(as.ada)).toMatchObject({ data: [], more: false, reset: false, cursor: expect.any(String) })
})

test('a cursor that is too old, from another database or invalid tells the client to reload everything', async ({
  as,
}) => {
  const { cursor } = await fetchEvents(as.ada)
  const [xid = ''] = cursor.split('.')
  const old = `${xid}.0.${Math.floor(Date.now() / 1000) - 8 * 86_400}`
  const foreign = `${BigInt(xid) + 1_000_000n}.0.${Math.floor(Date.now() / 1000)}`
  for (const wrong of [old, foreign, 'nonsense', '']) {
    expect(await fetchEvents(as.ada, wrong), wrong).toMatchObject({ data: [], reset: true, more: false })
  }
})

test('a change that fails publishes no events', async ({ as, world, server }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const { cursor } = await fetchEvents(as.ada)
  const { updateConversation } = await import('#server/features/conversations/conversations/updating.ts')
  const failing = server.context.change(async (tx) => {
    const actor = { account_id: world.acme.id, user_id: null, address: '' }
    await updateConversation(tx, actor, conversation_id, { status: 'closed' })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  const { data } = await fetchEvents(as.ada, cursor)
  const updates = data.filter(({ event }) => event === 'conversation:updated')
  expect(updates.map(({ payload }) => 'id' in payload && payload.id)).not.toContain(conversation_id)
})
