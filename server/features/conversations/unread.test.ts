import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startConversation, startVisitor, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const unread = async (token: string) => (await server.request('GET', '/api/conversations/unread', { token })).body.data

/** The counters as the definitions say, counted from the rows. */
async function recount(user_id: number) {
  const count = (condition: string) => `count(*) filter (where archived_at is null and ${condition})::int`
  const { rows } = await sql
    .raw<Record<string, number>>(
      `select ${count("status = 'open' and not read")} as unread,
              ${count(`status = 'open' and not read and assignee_id = ${user_id}`)} as assigned,
              ${count("status = 'open' and not read and assignee_id is null")} as unassigned,
              ${count("status = 'open' and not read and priority = 'priority'")} as priority,
              ${count("status = 'closed' and not read")} as closed,
              ${count(`status = 'open' and ${user_id} = any (unseen_mention_user_ids)`)} as mentioned
       from conversations where account_id = '${world.acme.id}'`,
    )
    .execute(server.parley.db)
  const { rows: inboxes } = await sql
    .raw<{ inbox_id: string; count: number }>(
      `select inbox_id, count(*)::int as count from conversations
       where account_id = '${world.acme.id}' and archived_at is null and status = 'open' and not read group by 1`,
    )
    .execute(server.parley.db)
  return {
    conversations: { open: rows[0]!.unread, ...rows[0] },
    inboxes: Object.fromEntries(inboxes.map((row) => [row.inbox_id, row.count])),
  }
}

test('counters stay what a recount says after any walk of actions, made one by one or at once', async () => {
  const conversations: string[] = []
  for (let i = 0; i < 5; i++)
    conversations.push((await startConversation(server, await startVisitor(server, world.acme.id))).conversation_id)
  const pick = fc.constantFrom(...conversations)
  const user = fc.constantFrom(world.ada, world.ben)
  const changes = fc.oneof(
    fc.constantFrom({ status: 'closed' }, { status: 'open' }, { priority: 'priority' }, { priority: 'not_priority' }),
    fc.constantFrom(
      { read: true },
      { read: false },
      { assignee_id: null },
      { inbox_id: world.billing.id },
      { inbox_id: world.website.id },
    ),
    user.map(({ id }) => ({ assignee_id: id })),
    fc.constantFrom({ archived_at: new Date().toISOString() }, { archived_at: null }),
  )
  const action = fc.oneof(
    fc.record({ kind: fc.constant('change' as const), id: pick, by: user, changes }),
    fc.record({ kind: fc.constant('note' as const), id: pick, by: user, mentioned: user }),
  )
  const perform = (one: typeof action extends fc.Arbitrary<infer Value> ? Value : never) =>
    one.kind === 'change'
      ? server.request('PUT', `/api/conversations/${one.id}`, {
          token: one.by.token,
          body: { conversation: one.changes },
        })
      : server.request('POST', '/api/messages', {
          token: one.by.token,
          body: {
            message: { conversation_id: one.id, body: 'look', type: 'note', mentioned_user_ids: [one.mentioned.id] },
          },
        })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
      const answers = await Promise.all(actions.map(perform))
      expect(answers.map((answer) => answer.status).filter((status) => status >= 300)).toEqual([])
      for (const { token, id } of [world.ada, world.ben]) {
        const { conversations: counted, inboxes } = await unread(token)
        const expected = await recount(id)
        expect(counted).toEqual(expected.conversations)
        expect(inboxes).toEqual(expected.inboxes)
      }
    }),
    { numRuns: 25 },
  )
}, 60_000)

test('the counters also stand directly under data, as old clients read them', async () => {
  await startConversation(server, world.carla, 'Hi', world.billing.id)
  const data = await unread(world.ada.token)
  expect(data.open).toBe(data.conversations.open)
  expect(data[world.billing.id]).toBe(data.inboxes[world.billing.id])
})
