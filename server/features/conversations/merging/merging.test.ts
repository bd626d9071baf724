import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { audit } from '#contract/accounts/audit.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { deletedConversations } from '#contract/conversations/deleted-conversations.ts'
import { merging } from '#contract/conversations/merging.ts'
import { messages } from '#contract/conversations/messages.ts'
import { scheduledMessages } from '#contract/conversations/scheduled-messages.ts'
import { search } from '#contract/conversations/search.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { tags } from '#contract/customers/tags.ts'
import { type Callers, expect, refusalOf, test } from '#tests/support/fixture.ts'
import type { TestServer } from '#tests/support/server.ts'
import { startConversation, startVisitor, type World } from '#tests/support/world.ts'

/** A visitor with two conversations, whose messages were written in turns: a1 b1 a2 b2 a3. */
async function startTwo(server: TestServer, world: World) {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Walker' })
  const a = await startConversation(server, visitor, 'a1')
  const b = await startConversation(server, visitor, 'b1')
  for (const text of ['a2', 'b2', 'a3']) {
    await write(server, visitor.token, (text.startsWith('a') ? a : b).conversation_id, text)
  }
  return { visitor, a: a.conversation_id, b: b.conversation_id }
}

async function write(server: TestServer, token: string, conversation_id: string, body: string, id = randomUUID()) {
  const answer = await server.request('POST', '/api/messages', {
    token,
    body: { message: { id, conversation_id, body } },
  })
  return answer
}

/** The texts of a conversation by their numbers. */
async function textsOf({ as }: { as: Callers }, conversation_id: string) {
  const { data } = await as.ben(messages.list, { query: { conversation_id } })
  return data.sort((a, b) => a.number - b.number).map(({ number, body }) => `${number} ${body}`)
}

const merge = (as: Callers, id: string, into_id: string) => as.ben(merging.merge, { params: { id }, body: { into_id } })
const undo = async (as: Callers, id: string) => {
  const [move] = (await as.ben(merging.moves, { params: { id } })).data
  return (await as.ben(merging.undo, { params: { id: move!.id } })).data
}

test('two conversations of a customer become one, sorted by time; the other one points to it', async ({
  as,
  server,
  world,
}) => {
  const { a, b } = await startTwo(server, world)
  const { data: merged } = await merge(as, b, a)
  expect(merged).toMatchObject({ id: a, last_number: 5, merged_into: null, status: 'open' })
  expect(await textsOf({ as }, a)).toEqual(['1 a1', '2 b1', '3 a2', '4 b2', '5 a3'])
  const { data: pointer } = await as.ben(conversations.get, { params: { id: b }, query: {} })
  expect(pointer).toMatchObject({ merged_into: a, messages: [] })
  const { data: list } = await as.ben(conversations.list, { query: {} })
  expect(list.map(({ id }) => id)).not.toContain(b)
  expect((await as.ada(deletedConversations.list, { query: {} })).data.map(({ id }) => id)).not.toContain(b)
})

test('what arrives for the merged conversation is posted in the other one, once; other changes are refused', async ({
  as,
  server,
  world,
}) => {
  const { visitor, a, b } = await startTwo(server, world)
  await merge(as, b, a)
  const id = randomUUID()
  for (const token of [visitor.token, visitor.token]) {
    const { status, body } = await write(server, token, b, 'late', id)
    expect([status, body.data.conversation_id]).toEqual([201, a])
  }
  const reply = await write(server, world.ben.token, b, 'reply')
  expect(reply.body.data).toMatchObject({ conversation_id: a, number: 7 })
  expect((await textsOf({ as }, a)).slice(5)).toEqual(['6 late', '7 reply'])
  const tag = (await as.ada(tags.create, { body: { tag: { name: 'merged' } } })).data
  for (const change of [
    () => as.ben(conversations.update, { params: { id: b }, body: { conversation: { status: 'closed' } } }),
    () => as.ben(conversations.update, { params: { id: b }, body: { conversation: { archived_at: null } } }),
    () => as.ben(tags.addToConversation, { params: { id: b }, body: { tag_id: tag.id } }),
  ]) {
    const refused = await refusalOf(change())
    expect([refused.status, refused.reason]).toEqual([409, 'merged'])
  }
})

test('undoing a merge restores both conversations with their numbers, and keeps what was written since', async ({
  as,
  server,
  world,
}) => {
  const { visitor, a, b } = await startTwo(server, world)
  const tag = (await as.ada(tags.create, { body: { tag: { name: 'urgent' } } })).data
  await as.ben(tags.addToConversation, { params: { id: b }, body: { tag_id: tag.id } })
  const get = async (id: string) => (await as.ben(conversations.get, { params: { id }, query: {} })).data
  await as.ben(conversations.update, { params: { id: b }, body: { conversation: { priority: 'priority' } } })
  const before = [await get(a), await get(b)]
  await merge(as, b, a)
  expect((await get(a)).tags.map(({ name }) => name)).toEqual(['urgent'])
  expect((await get(a)).priority).toBe('priority')
  await write(server, visitor.token, b, 'since')
  expect(await undo(as, a)).toMatchObject({ id: b, merged_into: null, archived_at: null })
  expect(await textsOf({ as }, a)).toEqual(['1 a1', '2 a2', '3 a3', '4 since'])
  expect(await textsOf({ as }, b)).toEqual(['1 b1', '2 b2'])
  const after = [await get(a), await get(b)]
  const same = ({ status, priority, assignee_id, tags, snoozed_at, archived_at }: (typeof after)[number]) => ({
    status,
    priority,
    assignee_id,
    snoozed_at,
    archived_at,
    tags: tags.map(({ id }) => id),
  })
  expect(after.map(same)).toEqual(before.map(same))
  expect(after[1]).toMatchObject({ last_number: 2, last_activity_at: before[1]!.last_activity_at })
  const { data } = await as.ada(audit.list, { query: { action: 'conversation' } })
  expect(data.slice(0, 2).map(({ action }) => action)).toEqual(['conversation.merge_undone', 'conversation.merged'])
})

test('what the team opened a conversation with is no reply, whatever is merged, split and undone', async ({
  as,
  server,
  world,
}) => {
  const { visitor, b } = await startTwo(server, world)
  const { data: opened } = await as.ben(conversations.create, {
    body: { conversation: { customer_id: visitor.customer_id, message: { body: 'How was it?' } } },
  })
  const { id } = opened
  const { body: answer } = await write(server, visitor.token, id, 'Fine')
  await write(server, world.ben.token, b, 'replied')
  const repliedAt = async (of: string) =>
    (await as.ben(conversations.get, { params: { id: of }, query: {} })).data.first_replied_at
  const replied = await repliedAt(b)
  expect([await repliedAt(id), replied]).toEqual([null, expect.any(String)])
  await merge(as, b, id)
  expect(await repliedAt(id)).toBe(replied)
  await undo(as, id)
  expect([await repliedAt(id), await repliedAt(b)]).toEqual([null, replied])
  const split = await as.ben(merging.split, { params: { id: answer.data.id }, body: { range: 'one' } })
  expect([await repliedAt(id), await repliedAt(split.data.id)]).toEqual([null, null])
  await undo(as, id)
  expect(await repliedAt(id)).toBe(null)
})

test('conversations of different customers, deleted ones and those of other companies are not merged', async ({
  as,
  server,
  world,
}) => {
  const { a, b } = await startTwo(server, world)
  const other = await startConversation(server, world.carla)
  const statusOf = async (id: string, into_id: string, caller = as.ben) =>
    (await refusalOf(caller(merging.merge, { params: { id }, body: { into_id } }))).status
  expect(await statusOf(a, other.conversation_id)).toBe(422)
  expect(await statusOf(a, a)).toBe(422)
  expect(await statusOf(a, randomUUID())).toBe(404)
  expect(await statusOf(a, b, as.olga)).toBe(404)
  await as.ben(conversations.archive, { params: { id: b } })
  expect(await statusOf(a, b)).toBe(422)
})

test('a reply that was scheduled in the merged conversation is sent in the other one', async ({
  as,
  server,
  world,
}) => {
  const { a, b } = await startTwo(server, world)
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const { data } = await as.ben(scheduledMessages.create, {
    body: { scheduled_message: { conversation_id: b, body: 'As promised', send_at } },
  })
  await merge(as, b, a)
  await as.ben(scheduledMessages.send, { params: { id: data.id } })
  expect((await textsOf({ as }, a)).at(-1)).toBe('6 As promised')
})

test('merged customers are not separated while their conversations are one', async ({ as, server, world }) => {
  const { visitor, a } = await startTwo(server, world)
  const other = await startVisitor(server, world.acme.id, { name: 'The same' })
  const { conversation_id } = await startConversation(server, other)
  await as.ada(customerProfiles.merge, {
    params: { id: visitor.customer_id },
    body: { customer_id: other.customer_id },
  })
  await merge(as, conversation_id, a)
  const unmerge = () => as.ada(customerProfiles.unmerge, { params: { id: visitor.customer_id } })
  expect((await refusalOf(unmerge())).message).toBe('Conversations of both were merged since. Undo that first.')
  await undo(as, a)
  await unmerge()
  const { data } = await as.ben(conversations.get, { params: { id: conversation_id }, query: {} })
  expect(data.customer_id).toBe(other.customer_id)
})

test('a message, or all from it on, become a conversation of their own, and return with what was written since', async ({
  as,
  server,
  world,
}) => {
  const { visitor, a } = await startTwo(server, world)
  const { data } = await as.ben(messages.list, { query: { conversation_id: a } })
  const second = data.find(({ body }) => body === 'a2')!
  const { data: one } = await as.ben(merging.split, { params: { id: second.id }, body: { range: 'one' } })
  expect([await textsOf({ as }, a), await textsOf({ as }, one.id)]).toEqual([['1 a1', '3 a3'], ['1 a2']])
  expect(one).toMatchObject({ customer_id: visitor.customer_id, status: 'open', last_number: 1 })
  await write(server, visitor.token, one.id, 'more')
  await undo(as, a)
  expect(await textsOf({ as }, a)).toEqual(['1 a1', '2 a2', '3 a3', '4 more'])
  const { data: rest } = await as.ben(merging.split, { params: { id: second.id }, body: { range: 'from_here' } })
  expect([await textsOf({ as }, a), await textsOf({ as }, rest.id)]).toEqual([['1 a1'], ['1 a2', '2 a3', '3 more']])
  const first = data.find(({ body }) => body === 'a1')!
  const refused = await refusalOf(as.ben(merging.split, { params: { id: first.id }, body: { range: 'one' } }))
  expect(refused.message).toBe('These are all messages of this conversation, so nothing would be left here.')
})

test('the newest move is undone first; a pointer always leads to the conversation with the messages', async ({
  as,
  server,
  world,
}) => {
  const { visitor, a, b } = await startTwo(server, world)
  const { conversation_id: c } = await startConversation(server, visitor, 'c1')
  await merge(as, a, b)
  await merge(as, b, c)
  const pointers = async () =>
    Promise.all(
      [a, b].map(async (id) => (await as.ben(conversations.get, { params: { id }, query: {} })).data.merged_into),
    )
  expect(await pointers()).toEqual([c, c])
  const { data: moves } = await as.ben(merging.moves, { params: { id: b } })
  expect(moves.map(({ from_id, can_undo }) => [from_id, can_undo])).toEqual([
    [b, true],
    [a, false],
  ])
  const refused = await refusalOf(as.ben(merging.undo, { params: { id: moves[1]!.id } }))
  expect(refused.message).toBe('Undo the later merges and splits of these conversations first.')
  await undo(as, b)
  expect(await pointers()).toEqual([b, null])
  await undo(as, b)
  expect(await pointers()).toEqual([null, null])
  expect(await textsOf({ as }, a)).toEqual(['1 a1', '2 a2', '3 a3'])
})

test('search finds each message once, in the conversation that has it', async ({ as, server, world }) => {
  const { visitor, a, b } = await startTwo(server, world)
  const word = `quokka${randomUUID().slice(0, 6)}`
  await write(server, visitor.token, b, word)
  const findIds = async () =>
    (await as.ben(search.find, { query: { q: word } })).data.map(({ conversation }) => conversation.id)
  expect(await findIds()).toEqual([b])
  await merge(as, b, a)
  expect(await findIds()).toEqual([a])
  await undo(as, a)
  expect(await findIds()).toEqual([b])
})

test('no order of merging, splitting, writing and undoing loses, doubles or reorders a message', {
  timeout: 120_000,
}, async ({ as, server, world }) => {
  const step = fc.record({
    kind: fc.constantFrom('merge', 'split', 'undo', 'write', 'write', 'delete'),
    one: fc.nat(5),
    other: fc.nat(5),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const { visitor, a, b } = await startTwo(server, world)
      const written = ['a1', 'a2', 'a3', 'b1', 'b2']
      const deleted = new Set<string>()
      const all = new Set([a, b])
      for (const [index, { kind, one, other }] of steps.entries()) {
        const ids = [...all]
        const [first, second] = [ids[one % ids.length]!, ids[other % ids.length]!]
        const { data: thread } = await as.ben(messages.list, { query: { conversation_id: first } })
        const chosen = thread[other % Math.max(thread.length, 1)]
        // Refused ones are part of it: they must change nothing.
        if (kind === 'merge') await merge(as, first, second).catch(() => undefined)
        if (kind === 'split' && chosen) {
          const range = one % 2 ? 'one' : 'from_here'
          const split = as.ben(merging.split, { params: { id: chosen.id }, body: { range } })
          await split.then(({ data }) => all.add(data.id)).catch(() => undefined)
        }
        if (kind === 'undo') await undo(as, first).catch(() => undefined)
        if (kind === 'write') {
          const text = `w${index}`
          expect((await write(server, visitor.token, first, text)).status).toBe(201)
          written.push(text)
        }
        if (kind === 'delete' && chosen) {
          await as.ada(messages.remove, { params: { id: chosen.id }, query: {} })
          deleted.add(chosen.body!)
        }
      }
      const texts: string[] = []
      for (const id of all) {
        const { data } = await as.ben(conversations.get, { params: { id }, query: { messages: 'all' } })
        const numbers = data.messages.map(({ number }) => number)
        expect(new Set(numbers).size).toBe(numbers.length)
        expect(data.last_number).toBeGreaterThanOrEqual(Math.max(0, ...numbers))
        if (data.merged_into) expect(data.messages).toEqual([])
        texts.push(...data.messages.map(({ body }) => body!))
      }
      expect(texts.sort()).toEqual(written.filter((text) => !deleted.has(text)).sort())
    }),
    { numRuns: 15, seed: 20261127 },
  )
})
