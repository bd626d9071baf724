import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, startTestServer, type TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { createWorld, startConversation, startVisitor, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const ask = (method: string, path: string, body?: object, token = world.ada.token) =>
  server.request(method, path, { token, body })
const merge = (id: string, customer_id: string) => ask('POST', `/api/customers/${id}/merge`, { customer_id })
const unmerge = (id: string) => ask('POST', `/api/customers/${id}/unmerge`)
const note = (customer_id: string, body: string) => ask('POST', '/api/notes', { note: { customer_id, body } })

test('merging moves conversations, notes, tags, issues and browsers to the survivor, who keeps what it knew', async () => {
  const keeper = await startVisitor(server, world.acme.id, { name: 'Kim', phone: '1' })
  const other = await startVisitor(server, world.acme.id, {
    name: 'Kimberley',
    email: 'kim@mail.test',
    external_id: 'k',
  })
  const { conversation_id } = await startConversation(server, other, 'Hello from my phone')
  await note(other.customer_id, 'Same person')
  const tag_id = (await ask('POST', '/api/tags', { tag: { name: 'twin' } })).body.data.id
  await ask('POST', `/api/customers/${other.customer_id}/tags`, { tag_id })
  await ask('POST', '/api/issues', { issue: { title: 'Twins', customer_id: other.customer_id } })
  const team = new TestSocket(server.url, { token: world.ada.token })
  const received = await team.join(`notification:${world.acme.id}`)

  const { body } = await merge(keeper.customer_id, other.customer_id)
  expect(body.data).toMatchObject({ id: keeper.customer_id, name: 'Kim', phone: '1', email: 'kim@mail.test' })
  expect(await received.receive('conversations:moved')).toMatchObject({
    customer: { id: keeper.customer_id },
    conversation_ids: [conversation_id],
    from_customer_id: other.customer_id,
  })
  team.close()
  // The old id leads to the survivor, for the team …
  const expand = 'expand[]=conversations&expand[]=messages&expand[]=notes&expand[]=tags&expand[]=issues'
  expect((await ask('GET', `/api/customers/${other.customer_id}?${expand}`)).body.data).toMatchObject({
    id: keeper.customer_id,
    conversations: [{ id: conversation_id }],
    messages: [{ body: 'Hello from my phone', customer_id: keeper.customer_id }],
    notes: [{ body: 'Same person' }],
    tags: [{ name: 'twin' }],
    issues: [{ title: 'Twins' }],
  })
  expect((await ask('GET', '/api/customers?q=kimberley')).body.data).toEqual([])
  // … and for the visitor's browser, which still says it.
  const mine = await server.request('GET', '/api/visitor_sessions', { token: other.token })
  expect(mine.body.data.id).toBe(keeper.customer_id)
  const query = new URLSearchParams({ account_id: world.acme.id, customer_id: other.customer_id })
  const shown = await server.request('GET', `/api/conversations/customer?${query}`, { token: other.token })
  expect(shown.body.data).toMatchObject([{ id: conversation_id }])
  const posted = await server.request('POST', '/api/messages', {
    token: other.token,
    body: { message: { conversation_id, body: 'Still me' } },
  })
  expect(posted.body.data.customer_id).toBe(keeper.customer_id)
  const socket = new TestSocket(server.url, { visitor_token: other.token })
  const joined = await socket.join(`conversation:${conversation_id}`, { customer_id: other.customer_id })
  expect(Object.keys(await joined.receive('presence_state'))).toContain(`customer:${keeper.customer_id}`)
  socket.close()
})

test('an id of a merged customer opens nothing to strangers who did not hold its browser', async () => {
  const keeper = await startVisitor(server, world.acme.id, { name: 'Claimed' })
  const unclaimed = (await ask('POST', '/api/customers', { customer: { name: 'Unclaimed' } })).body.data
  await startConversation(server, keeper, 'Private')
  await merge(keeper.customer_id, unclaimed.id)
  const query = new URLSearchParams({ account_id: world.acme.id, customer_id: unclaimed.id })
  expect((await server.request('GET', `/api/conversations/customer?${query}`)).body.data).toEqual([])
  const rename = await server.request('PUT', `/api/customers/${unclaimed.id}/metadata`, {
    body: { metadata: { name: 'Mallory' } },
  })
  expect(rename.status).toBe(404)
})

test('a customer cannot be merged with itself, nor a merge be taken back that was never made', async () => {
  const one = await startVisitor(server, world.acme.id, { name: 'Alone' })
  const refused = await merge(one.customer_id, one.customer_id)
  expect(refused.body.error).toMatchObject({ status: 422, message: 'These two are the same customer.' })
  expect((await unmerge(one.customer_id)).status).toBe(404)
})

test('two who merge the same pair at once, in either direction, end with one customer', async () => {
  const one = await startVisitor(server, world.acme.id, { name: 'Pair' })
  const two = await startVisitor(server, world.acme.id, { name: 'Pair' })
  const answers = await Promise.all([
    merge(one.customer_id, two.customer_id),
    merge(two.customer_id, one.customer_id),
    merge(one.customer_id, two.customer_id),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
  expect((await ask('GET', '/api/customers?q=pair')).body.data).toHaveLength(1)
})

test('what came after a merge stays with the survivor when it is taken back', async () => {
  const keeper = await startVisitor(server, world.acme.id, { name: 'Later' })
  const other = await startVisitor(server, world.acme.id, { email: 'later@mail.test' })
  await merge(keeper.customer_id, other.customer_id)
  await ask('PUT', `/api/customers/${keeper.customer_id}`, { customer: { email: 'new@mail.test' } })
  await note(keeper.customer_id, 'After')
  const { body } = await unmerge(keeper.customer_id)
  expect(body.data).toMatchObject({ id: other.customer_id, email: 'later@mail.test' })
  const kept = (await ask('GET', `/api/customers/${keeper.customer_id}?expand[]=notes`)).body.data
  expect(kept).toMatchObject({ email: 'new@mail.test', notes: [{ body: 'After' }] })
})

test('a customer tells whether a merge can still be taken back, for thirty days', async () => {
  const keeper = await startVisitor(server, world.acme.id, { name: 'Keeper' })
  const other = await startVisitor(server, world.acme.id, { name: 'Twin' })
  const since = async () =>
    (await ask('GET', `/api/customers/${keeper.customer_id}?expand[]=merge`)).body.data.merged_at
  const age = (days: number) =>
    server.context.db
      .updateTable('customer_merges')
      .set({ created_at: new Date(Date.now() - days * 86_400_000).toISOString() })
      .where('customer_id', '=', keeper.customer_id)
      .execute()
  expect(await since()).toBeNull()
  await merge(keeper.customer_id, other.customer_id)
  expect(Date.parse(await since())).toBeGreaterThan(0)
  await age(31)
  expect(await since()).toBeNull()
  expect((await unmerge(keeper.customer_id)).body.error.message).toBe('A merge can be taken back for 30 days.')
  await age(29)
  expect((await unmerge(keeper.customer_id)).status).toBe(200)
  expect(await since()).toBeNull()
})

const person = fc.record({
  name: fc.option(fc.constantFrom('Ann', 'Bo'), { nil: undefined }),
  email: fc.option(fc.constantFrom('a@x.test', 'b@x.test'), { nil: undefined }),
  phone: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
  conversations: fc.nat({ max: 2 }),
  notes: fc.nat({ max: 2 }),
  tags: fc.subarray([0, 1, 2]),
  issues: fc.subarray([0, 1]),
})

test('taking merges back, the newest first, restores every customer exactly', async () => {
  const tags: string[] = []
  for (const name of ['p0', 'p1', 'p2']) tags.push((await ask('POST', '/api/tags', { tag: { name } })).body.data.id)
  const issues: string[] = []
  for (const title of ['i0', 'i1']) issues.push((await ask('POST', '/api/issues', { issue: { title } })).body.data.id)

  await fc.assert(
    fc.asyncProperty(fc.tuple(person, person, person), async (people) => {
      const ids: string[] = []
      for (const { conversations, notes, tags: tagged, issues: linked, ...claims } of people) {
        const visitor = await startVisitor(server, world.acme.id, claims)
        ids.push(visitor.customer_id)
        for (let i = 0; i < conversations; i++) await startConversation(server, visitor, `Words ${i}`)
        for (let i = 0; i < notes; i++) await note(visitor.customer_id, `Note ${i}`)
        for (const i of tagged) await ask('POST', `/api/customers/${visitor.customer_id}/tags`, { tag_id: tags[i] })
        for (const i of linked)
          await ask('POST', `/api/customers/${visitor.customer_id}/issues`, { issue_id: issues[i] })
      }
      const [a, b, c] = ids as [string, string, string]
      const before = await everythingOf(ids)
      await merge(b, c)
      await merge(a, b)
      expect((await ask('GET', `/api/customers/${c}`)).body.data.id).toBe(a)
      expect((await unmerge(a)).status).toBe(200)
      expect((await unmerge(b)).status).toBe(200)
      expect(await everythingOf(ids)).toEqual(before)
    }),
    { numRuns: 12, seed: 7 },
  )
})

/** All rows of these customers but when they were last written. */
async function everythingOf(ids: string[]): Promise<Json[]> {
  const { rows } = await sql<{ kind: string; row: Json }>`
    select 'customer' as kind, to_jsonb(t) - 'updated_at' as row from customers t where id = any(${ids}::uuid[])
    union all select 'conversation', to_jsonb(t) - 'updated_at' from conversations t where customer_id = any(${ids}::uuid[])
    union all select 'message', to_jsonb(t) from messages t where customer_id = any(${ids}::uuid[])
    union all select 'words', to_jsonb(t) from message_words t where customer_id = any(${ids}::uuid[])
    union all select 'note', to_jsonb(t) from customer_notes t where customer_id = any(${ids}::uuid[])
    union all select 'tag', to_jsonb(t) from customer_tags t where customer_id = any(${ids}::uuid[])
    union all select 'issue', to_jsonb(t) from customer_issues t where customer_id = any(${ids}::uuid[])
    union all select 'session', to_jsonb(t) from visitor_sessions t where customer_id = any(${ids}::uuid[])
    order by 1, 2`.execute(server.context.db)
  return rows
}

test.each([0, 1])('whoever was seen later decides when the survivor was seen last (%d)', async (survivor) => {
  const pair = await Promise.all([0, 1].map(() => startVisitor(server, world.acme.id)))
  for (const [days, { customer_id }] of pair.entries()) {
    const last_seen_at = new Date(Date.UTC(2026, 0, 1 + days)).toISOString()
    await server.context.db.updateTable('customers').set({ last_seen_at }).where('id', '=', customer_id).execute()
  }
  const { body } = await merge(pair[survivor]!.customer_id, pair[1 - survivor]!.customer_id)
  expect(body.data.last_seen_at).toBe('2026-01-02T00:00:00.000Z')
})
