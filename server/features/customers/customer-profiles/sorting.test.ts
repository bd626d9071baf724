import { attributes } from '#contract/customers/attributes.ts'
import type { customerProfiles } from '#contract/customers/customer-profiles.ts'
import type { Answer, QueryInput } from '#contract/endpoint.ts'
import { test as base } from '#tests/support/customers.ts'
import { expect, statusOf } from '#tests/support/fixture.ts'

type Query = NonNullable<QueryInput<typeof customerProfiles.list>>
type Listed = Answer<typeof customerProfiles.list>

const test = base.extend('readAll', ({ list }) => async (query: Query) => {
  const pages: Listed[] = []
  for (let after: string | null | undefined; after !== null; after = pages.at(-1)?.next) {
    pages.push(await list({ page_size: '2', ...query, ...(after && { after }) }))
  }
  // Back from the last page, the same pages are read.
  for (const [at, page] of pages.entries()) {
    const previous = pages[at + 1]?.previous
    if (previous) expect((await list({ page_size: '2', ...query, before: previous })).data).toEqual(page.data)
  }
  expect(pages[0]?.previous).toBeNull()
  return pages.flatMap(({ data }) => data.map(({ name }) => name))
})

test('customers are sorted by the name that is shown, without regard to case and accents, in both directions', async ({
  create,
  readAll,
}) => {
  for (const name of ['zoe Sorted', 'Émile Sorted', 'adam Sorted', 'Fritz Sorted', 'Eva Sorted']) {
    await create({ name, email: `${name.slice(0, 3)}@name.test` })
  }
  const sorted = ['adam', 'Émile', 'Eva', 'Fritz', 'zoe'].map((name) => `${name} Sorted`)
  expect(await readAll({ q: 'sorted', order: 'name' })).toEqual(sorted)
  expect(await readAll({ q: 'sorted', order: 'name', direction: 'desc' })).toEqual(sorted.toReversed())
})

test('customers are sorted by last visit and by creation in both directions', async ({ create, seenAt, readAll }) => {
  for (const [at, name] of ['Visited One', 'Visited Two', 'Visited Three'].entries()) {
    const { id } = await create({ name })
    await seenAt(id, `2030-01-0${[2, 3, 1][at]}T00:00:00Z`)
  }
  const bySeen = ['Visited Three', 'Visited One', 'Visited Two']
  expect(await readAll({ q: 'visited', order: 'last_seen' })).toEqual(bySeen)
  expect(await readAll({ q: 'visited', order: 'last_seen', direction: 'desc' })).toEqual(bySeen.toReversed())
  const byCreation = ['Visited Three', 'Visited Two', 'Visited One']
  expect(await readAll({ q: 'visited', order: 'created', direction: 'desc' })).toEqual(byCreation)
})

test('customers are sorted by an attribute as its kind says; those without a fitting value come last', async ({
  as,
  create,
  readAll,
}) => {
  const define = (key: string, kind: 'number' | 'date' | 'yes_no' | 'choice' | 'text', choices?: string[]) => {
    const draft = { subject: 'customer' as const, key, name: key, kind, ...(choices && { choices }) }
    return as.ada(attributes.create, { body: { attribute_definition: draft } })
  }
  await define('sort_seats', 'number')
  await define('sort_renewal', 'date')
  await define('sort_paying', 'yes_no')
  await define('sort_size', 'choice', ['Small', 'Medium', 'Large'])
  await define('sort_city', 'text')
  const values: Record<string, Record<string, unknown>> = {
    A: { sort_seats: 10, sort_renewal: '2027-01-31', sort_paying: true, sort_size: 'large', sort_city: 'Ürzig' },
    B: { sort_seats: '9.5', sort_renewal: '2026-12-31', sort_paying: 'no', sort_size: 'Small', sort_city: 'ulm' },
    C: { sort_seats: -3, sort_renewal: '2027-02-30', sort_paying: 'perhaps', sort_size: 'Huge', sort_city: 'Zug' },
    D: { sort_seats: 'many', sort_renewal: '2027-03-01T10:00:00Z', sort_size: 'Medium', sort_city: ['Rom'] },
    E: { sort_seats: 100 },
  }
  for (const [name, metadata] of Object.entries(values)) await create({ name: `Attributed ${name}`, metadata })
  const names = async (attribute: string, direction: 'asc' | 'desc' = 'asc') => {
    const read = await readAll({ q: 'attributed', order: 'attribute', attribute, direction })
    return read.map((name) => name?.at(-1)).join('')
  }
  expect(await names('sort_seats')).toBe('CBAED')
  expect(await names('sort_seats', 'desc')).toBe('EABCD')
  expect((await names('sort_renewal')).slice(0, 3)).toBe('BAD')
  expect((await names('sort_renewal', 'desc')).slice(0, 3)).toBe('DAB')
  expect((await names('sort_paying')).slice(0, 2)).toBe('BA')
  expect((await names('sort_size')).slice(0, 3)).toBe('BDA')
  expect((await names('sort_city')).slice(0, 3)).toBe('BAC')
  // What is no attribute is compared as text.
  expect((await names('sort_nothing')).split('').sort().join('')).toBe('ABCDE')
})

test('the position of a page is read only as the order wrote it', async ({ list }) => {
  const id = '00000000-0000-4000-8000-000000000000'
  const position = (text: string) => Buffer.from(text).toString('base64url')
  for (const order of ['created', 'last_seen'] as const) {
    for (const text of [
      '',
      id,
      `${id} yesterday`,
      `${id} 2026-02-30T00:00:00.000Z`,
      'no-id 2026-02-01T00:00:00.000Z',
    ]) {
      expect(await statusOf(list({ order, after: position(text) })), text).toBe(400)
      expect(await statusOf(list({ order, before: position(text) })), text).toBe(400)
    }
  }
  expect(await statusOf(list({ order: 'name', after: position(`${id} a\0b`) }))).toBe(400)
  expect(await statusOf(list({ order: 'attribute' }))).toBe(400)
})
