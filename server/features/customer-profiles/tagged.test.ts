import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startVisitor, type VisitorInWorld, type World } from '#tests/support/world.ts'

// Where customers with a tag stand in the list is kept beside the tag. Whatever happens, it is what a look at the
// customers themselves would find.

let server: TestServer
let world: World
const people: VisitorInWorld[] = []
const tags: string[] = []

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const ask = (method: string, path: string, body?: object) =>
  server.request(method, path, { token: world.ada.token, body })

interface Step {
  act: keyof typeof ACTS
  who: number
  other: number
  tag: number
}

/** Some are refused, as merging somebody who is gone is. */
const ACTS = {
  tag: ({ who, tag }: Step) => ask('POST', `/api/customers/${idOf(who)}/tags`, { tag_id: tags[tag] }),
  untag: ({ who, tag }: Step) => ask('DELETE', `/api/customers/${idOf(who)}/tags/${tags[tag]}`),
  visit: ({ who, tag }: Step) => tell(who, { current_url: `https://shop.test/${tag}` }),
  'say an address': ({ who }: Step) => tell(who, { email: `visitor${who}@customer.test` }),
  'forget the address': ({ who }: Step) => ask('PUT', `/api/customers/${idOf(who)}`, { customer: { email: null } }),
  merge: ({ who, other }: Step) => ask('POST', `/api/customers/${idOf(who)}/merge`, { customer_id: idOf(other) }),
  unmerge: ({ who }: Step) => ask('POST', `/api/customers/${idOf(who)}/unmerge`),
  'delete the customer': ({ who }: Step) => ask('DELETE', `/api/customers/${idOf(who)}`),
  'erase the customer': ({ who }: Step) => ask('POST', `/api/customers/${idOf(who)}/erase`),
  'delete the tag': ({ tag }: Step) => ask('DELETE', `/api/tags/${tags[tag]}`),
} satisfies Record<string, (step: Step) => Promise<unknown>>

const idOf = (who: number) => people[who]!.customer_id
const tell = (who: number, metadata: object) =>
  server.request('PUT', `/api/customers/${idOf(who)}/metadata`, { token: people[who]!.token, body: { metadata } })

test('after any walk the customers with a tag are counted and listed as the customers themselves say', {
  timeout: 180_000,
}, async () => {
  const step = fc.record({
    act: fc.constantFrom(...(Object.keys(ACTS) as Step['act'][]), 'tag', 'tag', 'tag', 'visit'),
    who: fc.nat(4),
    other: fc.nat(4),
    tag: fc.nat(2),
  })
  // What stands together in one list happens at once.
  const walk = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(walk, async (walked) => {
      await beginAnew()
      for (const together of walked) await Promise.all(together.map((one: Step) => ACTS[one.act](one)))
      await expectRight()
    }),
    { numRuns: 20, seed: 20_261_121 },
  )
})

test('of many who have a tag, words find those whom a look at everybody finds, be they rare, common or elsewhere', async () => {
  const tag = (await ask('POST', '/api/tags', { tag: { name: 'many' } })).body.data.id
  await sql`
    with added as (
      insert into customers (account_id, id, name, last_seen_at)
      select ${world.acme.id}, gen_random_uuid(), 'Known' || case when n % 900 = 0 then ' Rara' when n > 2600 then ' Later' else '' end
        || case when n % 2 = 0 then ' Even' else '' end, now() - n * interval '1 minute'
      from generate_series(1, 2700) n returning id)
    insert into customer_tags (account_id, customer_id, tag_id) select ${world.acme.id}, id, ${tag} from added`.execute(
    server.context.db,
  )
  for (const word of ['Rara', 'Even', 'Later', 'Known', 'Nobody']) {
    const { rows } = await sql<{ id: string }>`
      select id from customers where account_id = ${world.acme.id} and name like ${`%${word}%`}
      order by last_seen_at desc, id desc`.execute(server.context.db)
    const { body } = await ask('GET', `/api/customers?tag_id=${tag}&q=${word}`)
    expect(body.total_entries, word).toBe(rows.length)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(rows.slice(0, 10).map(({ id }) => id))
  }
})

test('a tag is taken off one customer: others keep it, and the customer their other tags', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => startVisitor(server, world.acme.id)))
  const named = ['Taken', 'Kept'].map(async (name) => (await ask('POST', '/api/tags', { tag: { name } })).body.data.id)
  const [taken, kept] = await Promise.all(named)
  for (const { customer_id } of [one!, other!])
    for (const tag_id of [taken, kept]) await ask('POST', `/api/customers/${customer_id}/tags`, { tag_id })
  await ask('DELETE', `/api/customers/${one!.customer_id}/tags/${taken}`)
  const tagsOf = async ({ customer_id }: VisitorInWorld) =>
    (await ask('GET', `/api/customers/${customer_id}`)).body.data.tags.map(({ name }: { name: string }) => name).sort()
  expect([await tagsOf(one!), await tagsOf(other!)]).toEqual([['Kept'], ['Kept', 'Taken']])
})

async function beginAnew() {
  for (const { id } of withoutBystanders<{ id: string }>((await ask('GET', '/api/tags')).body.data))
    await ask('DELETE', `/api/tags/${id}`)
  for (const i of [0, 1, 2]) tags[i] = (await ask('POST', '/api/tags', { tag: { name: `t${i}` } })).body.data.id
  for (let i = 0; i < 5; i++) people[i] = await startVisitor(server, world.acme.id, { name: `Visitor ${i}` })
}

async function expectRight() {
  const { rows } = await sql<{ tag_id: string; id: string; has_email: boolean }>`
    select tag_id, c.id, c.email is not null as has_email from customer_tags t
    join customers c on c.account_id = t.account_id and c.id = t.customer_id
    where t.account_id = ${world.acme.id} and c.merged_into is null and c.deleted_at is null
    order by c.last_seen_at desc, c.id desc`.execute(server.context.db)
  const tagged = (await ask('GET', '/api/tags?counts=true')).body.data
  const counted = withoutBystanders<{ id: string; customers_count: number }>(tagged)
  for (const { id, customers_count } of counted) {
    const all = rows.filter(({ tag_id }) => tag_id === id)
    expect(customers_count).toBe(all.length)
    await expectListed(`tag_id=${id}`, all)
    await expectListed(`tag_id=${id}&q=visitor`, all)
    await expectListed(
      `tag_id=${id}&include_anonymous=false`,
      all.filter(({ has_email }) => has_email),
    )
    for (const other of counted) {
      const both = all.filter((one) => rows.some((row) => row.tag_id === other.id && row.id === one.id))
      await expectListed(`tag_ids=${id},${other.id}`, both)
    }
  }
}

async function expectListed(query: string, wanted: { id: string }[]) {
  const { body } = await ask('GET', `/api/customers?${query}`)
  expect(body.total_entries, query).toBe(wanted.length)
  expect(
    body.data.map(({ id }: { id: string }) => id),
    query,
  ).toEqual(wanted.map(({ id }) => id))
}
