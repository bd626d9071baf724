import type { BodyInput } from '#contract/endpoint.ts'
import { type ClientEvent, events } from '#contract/events.ts'
import { messages } from '#contract/messages.ts'
import { type Caller, expect, test } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const ask = (who: Caller, after?: string, limit = 500) => who(events.after, { query: { limit, after } })
const said = (events: ClientEvent[]) => events.flatMap((one) => (one.event === 'shout' ? [one.payload.body] : []))
const post = (who: Caller, message: BodyInput<typeof messages.create>['message']) =>
  who(messages.create, { body: { message } })

test('whoever was away is told everything after the cursor, in order, in pages', async ({ as, world, server }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  let { cursor } = await ask(as.ada)
  for (let i = 0; i < 9; i++) await post(as.carla, { conversation_id, body: `${i}` })
  const received: ClientEvent[] = []
  for (let more = true; more; ) {
    const page = await ask(as.ada, cursor, 4)
    received.push(...page.data)
    ;({ cursor, more } = page)
  }
  expect(said(received).slice(-9)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8'])
  await expect
    .poll(async () => {
      const page = await ask(as.ada, cursor)
      cursor = page.cursor
      return page.data
    })
    .toEqual([])
})

test('no event of a slower transaction is ever skipped', async ({ as, world, server }) => {
  const slow = await startConversation(server, world.carla)
  const fast = await startConversation(server, await startVisitor(server, world.acme.id))
  const { cursor } = await ask(as.ada)
  const { postMessage } = await import('#server/features/conversations/posting.ts')
  const author = { kind: 'customer' as const, customer_id: world.carla.customer_id }
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let hasWritten = () => {}
  const written = new Promise<void>((resolve) => (hasWritten = resolve))
  const slowly = server.context.change(async (open) => {
    await postMessage(open, world.acme.id, author, { conversation_id: slow.conversation_id, body: 'slow' })
    hasWritten()
    await held
  })
  await written
  await post(as.ada, { conversation_id: fast.conversation_id, body: 'fast' })
  const between = await ask(as.ada, cursor)
  release()
  await slowly
  const after = await ask(as.ada, between.cursor)
  expect(said(between.data), 'what has committed is told at once').toContain('fast')
  expect(said(after.data), 'what committed later is told later').toContain('slow')
})

test('a visitor is told what happened in its own conversations, never a note', async ({ as, world, server }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const other = await startConversation(server, await startVisitor(server, world.acme.id))
  const { cursor } = await ask(as.carla)
  await post(as.ada, { conversation_id, body: 'secret', type: 'note' })
  await post(as.ada, { conversation_id, body: 'for Carla' })
  await post(as.ada, { conversation_id: other.conversation_id, body: 'for somebody else' })
  const { data } = await ask(as.carla, cursor)
  expect(said(data).at(-1)).toBe('for Carla')
  expect(said(data)).not.toContain('for somebody else')
  expect(JSON.stringify(data)).not.toContain('secret')
})

test('another account receives nothing', async ({ as, world, server }) => {
  const { cursor } = await ask(as.olga)
  await startConversation(server, world.carla)
  expect((await ask(as.olga, cursor)).data).toEqual([])
})

test('who asks without a cursor is given one, and has nothing more to read', async ({ as, world, server }) => {
  await startConversation(server, world.carla)
  expect(await ask(as.ada)).toMatchObject({ data: [], more: false, reset: false, cursor: expect.any(String) })
})

test('a cursor that is too old, from another database or no cursor at all asks to load afresh', async ({ as }) => {
  const { cursor } = await ask(as.ada)
  const [xid = ''] = cursor.split('.')
  const old = `${xid}.0.${Math.floor(Date.now() / 1000) - 8 * 86_400}`
  const foreign = `${BigInt(xid) + 1_000_000n}.0.${Math.floor(Date.now() / 1000)}`
  for (const wrong of [old, foreign, 'nonsense', '']) {
    expect(await ask(as.ada, wrong), wrong).toMatchObject({ data: [], reset: true, more: false })
  }
})

test('a change that fails is told to nobody', async ({ as, world, server }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const { cursor } = await ask(as.ada)
  const { updateConversation } = await import('#server/features/conversations/updating.ts')
  const failing = server.context.change(async (open) => {
    await updateConversation(open, world.acme.id, conversation_id, { status: 'closed' }, null)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  const { data } = await ask(as.ada, cursor)
  const told = data.filter(({ event }) => event === 'conversation:updated')
  expect(told.map(({ payload }) => 'id' in payload && payload.id)).not.toContain(conversation_id)
})
