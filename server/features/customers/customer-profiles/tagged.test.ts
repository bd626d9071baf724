import fc from 'fast-check'
import { sql } from 'kysely'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import { erasure } from '#contract/customers/erasure.ts'
import { tags } from '#contract/customers/tags.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { test as base, type Callers, expect, statusOf } from '#tests/support/fixture.ts'
import { startVisitor, type VisitorInWorld } from '#tests/support/world.ts'

// The position of tagged customers in the list is stored with the tag. It must always be what the customers themselves
// say.

interface Step {
  act: keyof ReturnType<typeof actsOf>
  who: number
  other: number
  tag: number
}

interface Crowd {
  people: VisitorInWorld[]
  tag_ids: string[]
}

/** Actions of the team and visitors. Some are refused, such as merging a deleted customer. */
function actsOf(as: Callers, { people, tag_ids }: Crowd) {
  const of = (who: number) => ({ params: { id: people[who]!.customer_id } })
  const claim = (who: number, metadata: object) =>
    as.holder(people[who]!.token)(customers.updateMetadata, { ...of(who), body: { metadata } })
  return {
    tag: ({ who, tag }) => as.ada(tags.addToCustomer, { ...of(who), body: { tag_id: tag_ids[tag]! } }),
    untag: ({ who, tag }) => as.ada(tags.removeFromCustomer, { params: { ...of(who).params, tag_id: tag_ids[tag]! } }),
    visit: ({ who, tag }) => claim(who, { current_url: `https://shop.test/${tag}` }),
    'say an address': ({ who }) => claim(who, { email: `visitor${who}@customer.test` }),
    'forget the address': ({ who }) =>
      as.ada(customerProfiles.update, { ...of(who), body: { customer: { email: null } } }),
    merge: ({ who, other }) =>
      as.ada(customerProfiles.merge, { ...of(who), body: { customer_id: people[other]!.customer_id } }),
    unmerge: ({ who }) => as.ada(customerProfiles.unmerge, of(who)),
    'delete the customer': ({ who }) => as.ada(customerProfiles.remove, of(who)),
    'erase the customer': ({ who }) => as.ada(erasure.erase, of(who)),
    'delete the tag': ({ tag }) => as.ada(tags.remove, { params: { id: tag_ids[tag]! } }),
  } satisfies Record<string, (step: Omit<Step, 'act'>) => Promise<unknown>>
}

const ACTS = [
  'tag',
  'untag',
  'visit',
  'say an address',
  'forget the address',
  'merge',
  'unmerge',
  'delete the customer',
  'erase the customer',
  'delete the tag',
] as const

const test = base
  .extend('beginAnew', ({ as, world, server }) => async (): Promise<Crowd> => {
    for (const { id } of withoutBystanders((await as.ada(tags.list)).data))
      await as.ada(tags.remove, { params: { id } })
    const crowd: Crowd = { people: [], tag_ids: [] }
    for (const i of [0, 1, 2])
      crowd.tag_ids.push((await as.ada(tags.create, { body: { tag: { name: `t${i}` } } })).data.id)
    for (let i = 0; i < 5; i++) crowd.people.push(await startVisitor(server, world.acme.id, { name: `Visitor ${i}` }))
    return crowd
  })
  .extend(
    'expectListed',
    ({ as }) =>
      async (query: QueryInput<typeof customerProfiles.list>, wanted: { id: string }[]) => {
        const { data, total_entries } = await as.ada(customerProfiles.list, { query })
        const label = JSON.stringify(query)
        expect(total_entries, label).toBe(wanted.length)
        expect(
          data.map(({ id }) => id),
          label,
        ).toEqual(wanted.map(({ id }) => id))
      },
  )
  .extend('expectRight', ({ as, world, server, expectListed }) => async () => {
    const { rows } = await sql<{ tag_id: string; id: string; has_email: boolean }>`
    select tag_id, c.id, c.email is not null as has_email from customer_tags t
    join customers c on c.account_id = t.account_id and c.id = t.customer_id
    where t.account_id = ${world.acme.id} and c.merged_into is null and c.deleted_at is null
    order by c.last_seen_at desc, c.id desc`.execute(server.context.db)
    const tagged = (await as.ada(tags.list, { query: { counts: 'true' } })).data
    const counted = withoutBystanders(tagged)
    for (const { id, customers_count } of counted) {
      const all = rows.filter(({ tag_id }) => tag_id === id)
      expect(customers_count).toBe(all.length)
      await expectListed({ tag_id: id }, all)
      await expectListed({ tag_id: id, q: 'visitor' }, all)
      await expectListed(
        { tag_id: id, include_anonymous: 'false' },
        all.filter(({ has_email }) => has_email),
      )
      for (const other of counted) {
        const both = all.filter((customer) => rows.some((row) => row.tag_id === other.id && row.id === customer.id))
        await expectListed({ tag_ids: `${id},${other.id}` }, both)
      }
    }
  })

test('after random actions, counts and lists of tagged customers match the customers themselves', {
  timeout: 180_000,
}, async ({ as, beginAnew, expectRight }) => {
  const step = fc.record({
    act: fc.constantFrom<Step['act']>(...ACTS, 'tag', 'tag', 'tag', 'visit'),
    who: fc.nat(4),
    other: fc.nat(4),
    tag: fc.nat(2),
  })
  // Actions in the same inner list happen at the same time.
  const walk = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(walk, async (walked) => {
      const acts = actsOf(as, await beginAnew())
      for (const together of walked) await Promise.all(together.map((step) => statusOf(acts[step.act](step))))
      await expectRight()
    }),
    { numRuns: 20, seed: 20_261_121 },
  )
})

test('a search among many tagged customers finds the same as a full scan, for rare, common and other words', async ({
  as,
  world,
  server,
}) => {
  const tag = (await as.ada(tags.create, { body: { tag: { name: 'many' } } })).data.id
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
    const body = await as.ada(customerProfiles.list, { query: { tag_id: tag, q: word } })
    expect(body.total_entries, word).toBe(rows.length)
    expect(body.data.map(({ id }) => id)).toEqual(rows.slice(0, 10).map(({ id }) => id))
  }
})

test('removing a tag from a customer affects no other customer and no other tag', async ({ as, world, server }) => {
  const [one, other] = await Promise.all([1, 2].map(() => startVisitor(server, world.acme.id)))
  const named = ['Taken', 'Kept'].map(async (name) => (await as.ada(tags.create, { body: { tag: { name } } })).data.id)
  const [taken = '', retained = ''] = await Promise.all(named)
  for (const { customer_id } of [one!, other!])
    for (const tag_id of [taken, retained])
      await as.ada(tags.addToCustomer, { params: { id: customer_id }, body: { tag_id } })
  await as.ada(tags.removeFromCustomer, { params: { id: one!.customer_id, tag_id: taken } })
  const tagsOf = async ({ customer_id }: VisitorInWorld) =>
    (await as.ada(customerProfiles.get, { params: { id: customer_id } })).data.tags?.map(({ name }) => name).sort()
  expect([await tagsOf(one!), await tagsOf(other!)]).toEqual([['Kept'], ['Kept', 'Taken']])
})
