import { sql } from 'kysely'
import { type SearchHit, search } from '#contract/conversations/search.ts'
import { parseSearch } from '#contract/conversations/search-query.ts'
import { findMatches } from '#contract/conversations/search-words.ts'
import type { Answer } from '#contract/endpoint.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import type { World } from '#tests/support/world.ts'

// So much data that a first step does not cover everything: indexes and cursors are needed.

interface StoredMessage {
  id: string
  body: string
  user_id: number | null
  status: string
  name: string
}

const containsAll = (body: string, q: string) => parseSearch(q).every((part) => findMatches(body, [part]).length > 0)

const test = base
  .extend('everything', { scope: 'file' }, async ({ world, server }): Promise<StoredMessage[]> => {
    const db = server.context.db
    await sql`
      insert into customers (account_id, id, name)
      select ${world.acme.id}, lpad(n::text, 32, '0')::uuid, case when n % 90 = 0 then 'Thérèse ' when n % 3 = 0 then 'Paul ' else 'Guest ' end || n
      from generate_series(1, 900) n`.execute(db)
    await sql`
      insert into conversations (account_id, id, customer_id, inbox_id, status, last_number, last_activity_at)
      select account_id, gen_random_uuid(), id, ${world.website.id}, case when row_number() over (order by id) % 4 = 0 then 'closed' else 'open' end,
             5, now() - row_number() over (order by id) * interval '1 hour'
      from customers where account_id = ${world.acme.id} and name ~ '^(Thérèse|Paul|Guest) '`.execute(db)
    await sql`
      insert into messages (account_id, id, conversation_id, number, body, user_id, customer_id, created_at)
      select c.account_id, gen_random_uuid(), c.id, n,
             'hello ' || case when place % 2 = 0 then 'common thing' else 'thing common' end
               || case when place % 301 = 0 then ' quagga' else '' end || case when place % 43 = 0 then ' okapi here' else '' end,
             case when n % 2 = 0 then ${world.ada.id}::integer end, case when n % 2 = 1 then c.customer_id end,
             c.last_activity_at - (5 - n) * interval '1 minute'
      from (select *, row_number() over (order by last_activity_at) * 5 as base from conversations where account_id = ${world.acme.id} and inbox_id = ${world.website.id}) c,
           generate_series(1, 5) n, lateral (select c.base + n as place) place`.execute(db)
    const { rows } = await sql<StoredMessage>`
      select m.id, m.body, m.user_id, c.status, cu.name from messages m
      join conversations c on c.id = m.conversation_id join customers cu on cu.id = c.customer_id
      where m.account_id = ${world.acme.id} order by m.created_at desc, m.id desc`.execute(db)
    return rows
  })
  .extend('findAll', ({ as }) => async (q: string): Promise<SearchHit[]> => {
    const hits: SearchHit[] = []
    let next: string | null | undefined
    while (next !== null) {
      const page: Answer<typeof search.find> = await as.ada(search.find, { query: { limit: 50, q, after: next } })
      hits.push(...page.data)
      next = page.next
    }
    return hits
  })

// Adds much other data beside what the tests look for.
test.beforeAll(({ everything: _ }) => {})

test.for<[string, string, (message: StoredMessage, world: World) => boolean]>([
  ['quagga', 'quagga', () => true],
  ['qua', 'qua', () => true],
  ['okapi quagga', 'okapi quagga', () => true],
  ['"okapi here"', '"okapi here"', () => true],
  ['"thing common"', '"thing common"', () => true],
  ['"thing okapi"', '"thing okapi"', () => true],
  ['quagga from:me', 'quagga', (message, world) => message.user_id === world.ada.id],
  ['quagga status:closed', 'quagga', (message) => message.status === 'closed'],
  ['okapi from:therese', 'okapi', (message) => !message.user_id && message.name.startsWith('Thé')],
  ['okapi from:paul', 'okapi', (message) => !message.user_id && message.name.startsWith('Paul')],
])(
  '%s finds every message that matches, and no other, newest first',
  async ([q, terms, fits], { world, everything, findAll }) => {
    const expected = everything
      .filter((message) => containsAll(message.body, terms) && fits(message, world))
      .map(({ id }) => id)
    const ids = (await findAll(q)).map((hit) => hit.message!.id)
    expect(ids).toEqual(expected)
    expect(expected.length).toBeGreaterThan(0)
  },
)

test.for<[string, string, number]>([
  ['therese', 'Thé', 10],
  ['paul', 'Paul', 290],
  ['therese 9', 'Thérèse 9', 2],
])(
  'the name %s finds each of its conversations once, latest activity first',
  async ([q, begin, count], { findAll }) => {
    const hits = await findAll(q)
    expect(hits).toHaveLength(count)
    expect(hits.every((hit) => hit.matched === 'customer' && hit.conversation.customer.name?.startsWith(begin))).toBe(
      true,
    )
    expect(new Set(hits.map((hit) => hit.conversation.id)).size).toBe(count)
    const times = hits.map((hit) => hit.conversation.last_activity_at)
    expect(times).toEqual([...times].sort().reverse())
  },
)

test('a search finds nothing of another account', async ({ as }) => {
  const body = await as.olga(search.find, { query: { q: 'hello' } })
  expect(body).toEqual({ data: [], next: null })
})
