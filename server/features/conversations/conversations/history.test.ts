import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { conversations } from '#contract/conversations/conversations.ts'
import { search } from '#contract/conversations/search.ts'
import { tags } from '#contract/customers/tags.ts'
import { dialectOf, PipeliningDriver } from '#server/platform/db/driver.ts'
import { types } from '#server/platform/db/parsers.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { test as base, type Caller, expect } from '#tests/support/fixture.ts'
import { listConversations } from './listing.ts'

/** One conversation each fifteen hours, for five years; every customer has twenty of them. */
const CONVERSATIONS = 3_000
const CUSTOMERS = 150
const YEAR_MS = 365 * 86_400_000
/** Occurs in the oldest conversation only. */
const RARE = 'zanzibar'

const test = base
  /** Five years of closed conversations, each with a question and an answer. */
  .extend('history', { scope: 'file' }, async ({ as, world, server }) => {
    const { db } = server.context
    const tag_id = (await as.ada(tags.create, { body: { tag: { name: 'returned' } } })).data.id
    const [account, inbox] = [world.acme.id, world.website.id]
    await sql`insert into customers (account_id, id, name)
      select ${account}, ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, 'Regular ' || n
      from generate_series(0, ${CUSTOMERS - 1}::int) n`.execute(db)
    await sql`insert into conversations
        (account_id, id, customer_id, inbox_id, status, read, last_number, created_at, last_activity_at, closed_at)
      select ${account}, ('00000000-0000-4000-a000-' || lpad(n::text, 12, '0'))::uuid,
        ('00000000-0000-4000-9000-' || lpad((n % ${CUSTOMERS}::int)::text, 12, '0'))::uuid, ${inbox}, 'closed', true, 2,
        at, at + interval '1 hour', at + interval '2 hours'
      from generate_series(0, ${CONVERSATIONS - 1}::int) n,
        lateral (select now() - interval '5 years' * (n + 1) / ${CONVERSATIONS}::int as at) begun`.execute(db)
    await sql`insert into messages
        (account_id, id, conversation_id, number, body, customer_id, user_id, created_at, sent_at)
      select c.account_id, gen_random_uuid(), c.id, number,
        case when c.id = ${oldest()} and number = 1 then ${RARE} else 'About shelf ' || number end,
        case when number = 1 then c.customer_id end, case when number = 2 then ${world.ada.id}::int end,
        c.created_at + interval '10 minutes' * number, c.created_at + interval '10 minutes' * number
      from conversations c, generate_series(1, 2) number
      where c.account_id = ${account} and c.id::text like '00000000-0000-4000-a000-%'`.execute(db)
    await sql`insert into conversation_tags (account_id, conversation_id, tag_id)
      select account_id, id, ${tag_id} from conversations where account_id = ${account} and id = ${oldest()}`.execute(
      db,
    )
    await sql`analyze`.execute(db)
    return { tag_id, customer_id: idOf('9000', (CONVERSATIONS - 1) % CUSTOMERS) }
  })

const idOf = (kind: string, n: number) => `00000000-0000-4000-${kind}-${String(n).padStart(12, '0')}`
const oldest = () => idOf('a000', CONVERSATIONS - 1)

type Filters = Parameters<typeof listConversations>[3]

/** All pages of a list. */
async function readAll(who: Caller, query: { status?: 'closed'; customer_id?: string; tag_id?: string }) {
  const read: { id: string; last_activity_at: string }[] = []
  let after: string | undefined
  do {
    const page = await who(conversations.list, { query: { ...query, messages: 'last', ...(after && { after }) } })
    read.push(...page.data)
    after = page.next ?? undefined
  } while (after)
  return read
}

test('what was closed years ago is in the closed list, found by the search, and on its customer’s page', async ({
  as,
  history,
}) => {
  const closed = await readAll(as.ada, { status: 'closed' })
  expect(new Set(closed.map(({ id }) => id)).size).toBe(closed.length)
  expect(closed.length).toBeGreaterThanOrEqual(CONVERSATIONS)
  expect(closed.at(-1)!.id).toBe(oldest())
  expect(Date.parse(closed.at(-1)!.last_activity_at)).toBeLessThan(Date.now() - 4.9 * YEAR_MS)

  let after: string | undefined
  const hits: string[] = []
  do {
    const page = await as.ada(search.find, { query: { q: RARE, ...(after && { after }) } })
    hits.push(...page.data.map(({ conversation }) => conversation.id))
    after = page.next ?? undefined
  } while (after)
  expect(hits).toEqual([oldest()])

  const { customer_id, tag_id } = history
  const ofCustomer = await readAll(as.ada, { customer_id })
  expect(ofCustomer).toHaveLength(CONVERSATIONS / CUSTOMERS)
  expect(ofCustomer.at(-1)!.id).toBe(oldest())
  expect((await readAll(as.ada, { tag_id })).map(({ id }) => id)).toEqual([oldest()])
})

test('no list reads all conversations or messages of five years', async ({ as, world, server, history }) => {
  const pool = new pg.Pool({ ...server.database.connection, max: 1, types, pipeline: true })
  const asked: { sql: string; parameters: readonly unknown[] }[] = []
  const db = new Kysely<Database>({
    dialect: dialectOf(new PipeliningDriver(pool)),
    log: ({ query }) => void asked.push(query),
  })
  const { next } = await as.ada(conversations.list, { query: { status: 'closed' } })
  const lists: Filters[] = [
    { status: 'closed' },
    { status: 'closed', inbox_id: world.website.id },
    { customer_id: history.customer_id },
    { tag_id: history.tag_id },
  ]
  for (const filters of lists) {
    for (const after of [undefined, next!]) {
      await listConversations(db, world.acme.id, world.ada.id, filters, {
        messages: 'preview',
        ...(after && { after }),
      })
    }
  }
  expect(asked.length).toBeGreaterThan(lists.length)
  for (const { sql: text, parameters } of asked.splice(0)) {
    const { rows } = await pool.query(`explain ${text}`, [...parameters])
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).not.toMatch(/Seq Scan on (conversations|messages)/)
  }
  await db.destroy()
})
