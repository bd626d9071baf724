import { conversations } from '#contract/conversations/conversations.ts'
import { companies } from '#contract/customers/companies.ts'
import { customerImports } from '#contract/customers/customer-imports.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { issues } from '#contract/customers/issues.ts'
import { tags } from '#contract/customers/tags.ts'
import type { Answer } from '#contract/endpoint.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { test } from '#tests/support/customers.ts'
import { expect, refusalOf } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import { cell } from '../../../platform/csv.ts'

const namesOf = (page: Answer<typeof customerProfiles.list>) => page.data.map(({ name }) => name)

test('customers are listed by page number, most recently seen first, ten per page', async ({
  create,
  seenAt,
  list,
}) => {
  const ids: string[] = []
  for (let i = 0; i < 12; i++) ids.push((await create({ name: `Paged ${i}`, email: `paged${i}@list.test` })).id)
  for (const [i, id] of ids.entries()) await seenAt(id, `2030-01-01T00:00:${String(i).padStart(2, '0')}Z`)
  const first = await list({ q: 'paged' })
  expect(first).toMatchObject({ page_number: 1, page_size: 10, total_entries: 12, total_pages: 2 })
  expect(namesOf(first)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((i) => `Paged ${i}`))
  expect(namesOf(await list({ q: 'paged', page: '2' }))).toEqual(['Paged 1', 'Paged 0'])
  expect(namesOf(await list({ q: 'paged', page: '3', page_size: '4' }))).toHaveLength(4)
  expect(await list({ q: 'paged', page: '99999999' })).toMatchObject({ data: [], total_entries: 12 })
})

test('customers who are online come first, on every page', async ({
  world,
  server,
  openSocket,
  create,
  seenAt,
  list,
}) => {
  const early = await startVisitor(server, world.acme.id, { name: 'Onlina Early' })
  const late = await create({ name: 'Onlina Late' })
  await seenAt(early.customer_id, '2025-01-01T00:00:00Z')
  await seenAt(late.id, '2031-01-01T00:00:00Z')
  const { conversation_id } = await startConversation(server, early)
  expect(namesOf(await list({ q: 'onlina' }))[0]).toBe('Onlina Late')
  const socket = openSocket({ visitor_token: early.token })
  const joined = await socket.join(`conversation:${conversation_id}`, { customer_id: early.customer_id })
  await joined.receive('presence_state')
  expect(namesOf(await list({ q: 'onlina' }))).toEqual(['Onlina Early', 'Onlina Late'])
  expect(namesOf(await list({ q: 'onlina', page_size: '1', page: '2' }))).toEqual(['Onlina Late'])
})

test('customers in the order of their creation are read page by page, each once, while others come online and are added', async ({
  create,
  seenAt,
  list,
}) => {
  const ids: string[] = []
  for (let i = 0; i < 7; i++) ids.push((await create({ name: `Standing ${i}`, email: `standing${i}@list.test` })).id)
  const read: string[] = []
  let after: string | null | undefined
  do {
    const page = await list({ q: 'standing', order: 'created', page_size: '2', ...(after && { after }) })
    expect(page.data.length).toBeGreaterThan(0)
    read.push(...page.data.map(({ id }) => id))
    after = page.next
    // Somebody who was read already and somebody who was not come to the front of the other order.
    for (const id of [ids[0]!, ids[6]!]) await seenAt(id, `2032-01-01T00:00:0${read.length % 10}Z`)
    if (read.length === 2) ids.push((await create({ name: 'Standing 7', email: 'standing7@list.test' })).id)
  } while (after)
  expect(read).toEqual(ids)
  expect(await list({ q: 'nobody of this name', order: 'created' })).toMatchObject({ data: [], next: null })
  expect((await refusalOf(list({ order: 'created', after: 'page 2' }))).status).toBe(400)
})

test('every word is found at the beginning of words of name, e-mail, phone and external id, without accents', async ({
  create,
  list,
}) => {
  await create({ name: 'Đặng Hoàng Nam', email: 'nam@phố.test', phone: '+84 (24) 3825-1122', external_id: 'crm-77' })
  for (const q of ['dang', 'HOANG nam', 'nam pho', '842438251122', '3825', 'crm 77', 'Đặng', 'hoa', 'da na', '382']) {
    expect(namesOf(await list({ q })), q).toContain('Đặng Hoàng Nam')
  }
  for (const q of ['dang nobody', 'oang', '825']) expect(namesOf(await list({ q })), q).toEqual([])
  expect(namesOf(await list({ q: '...' }))).toEqual([])
})

test('API clients find customers by field and metadata, and export a page as CSV', async ({
  world,
  server,
  create,
  list,
}) => {
  const details = { name: 'Api Client', email: 'api_client@wire.test', browser: 'Lynx', metadata: { plan: 'oak' } }
  await create(details)
  await create({ name: 'Api Other', email: 'apixclient@wire.test', metadata: { plan: 'pine' } })
  for (const query of [
    { email: 'API_client@wire.test', browser: 'lynx' },
    { name: 'api cl%' },
    { q: 'api plan:oak' },
  ]) {
    expect(namesOf(await list(query)), JSON.stringify(query)).toEqual(['Api Client'])
  }
  expect(namesOf(await list({ email: '%@WIRE.test' })).sort()).toEqual(['Api Client', 'Api Other'])
  await create({ name: 'Api Colon', external_id: 'crm:4711' })
  expect(namesOf(await list({ q: 'crm:4711' }))).toEqual(['Api Colon'])
  expect(await list({ email: '%@wire.test', limit: '1' })).toMatchObject({ page_size: 1, total_entries: 2 })
  const address = '/api/customers?format=csv&email=%25%40wire.test&page_size=1'
  const table = await server.request('GET', address, { token: world.ada.token })
  expect(table.headers['content-type']).toBe('text/csv; charset=utf-8')
  const [head, line, end] = table.body.split('\r\n')
  expect(head).toMatch(/^\ufeff?id,name,email,created_at,updated_at,first_seen,last_seen_at,phone,external_id,host,/)
  expect(line).toMatch(/^"[-\w]{36}","Api Other","apixclient@wire.test",/)
  expect(end).toBe('')
})

test('without anonymous ones only customers with an e-mail address are listed', async ({ create, list }) => {
  await create({ name: 'Anon Without' })
  await create({ name: 'Anon With', email: 'with@mail.test' })
  expect(namesOf(await list({ q: 'anon' })).sort()).toEqual(['Anon With', 'Anon Without'])
  expect(namesOf(await list({ q: 'anon', include_anonymous: 'false' }))).toEqual(['Anon With'])
})

test('customers are filtered by several tags at once, by company and by issue', async ({
  as,
  world,
  server,
  create,
  list,
}) => {
  const one = await create({ name: 'Filtered One' })
  const two = await create({ name: 'Filtered Two' })
  const tag = async (name: string) => (await as.ada(tags.create, { body: { tag: { name } } })).data.id
  const [vip, trade] = [await tag('filter vip'), await tag('filter trade')]
  for (const tag_id of [vip, vip, trade]) await as.ada(tags.addToCustomer, { params: { id: one.id }, body: { tag_id } })
  await as.ada(tags.addToCustomer, { params: { id: two.id }, body: { tag_id: vip } })
  expect(namesOf(await list({ tag_id: vip })).sort()).toEqual(['Filtered One', 'Filtered Two'])
  const path = `/api/customers?tag_ids[]=${vip}&tag_ids[]=${trade}`
  const tagged: Answer<typeof customerProfiles.list> = (await server.request('GET', path, { token: world.ada.token }))
    .body
  expect(namesOf(tagged)).toEqual(['Filtered One'])
  expect(tagged.data[0]?.tags?.map((each) => each.name)).toEqual(['filter trade', 'filter vip'])

  const company = (await as.ada(companies.create, { body: { company: { name: 'Filter Ltd' } } })).data
  await as.ada(customerProfiles.update, { params: { id: two.id }, body: { customer: { company_id: company.id } } })
  expect((await list({ company_id: company.id })).data).toMatchObject([
    { name: 'Filtered Two', company: { name: 'Filter Ltd' } },
  ])
  const issue = (await as.ada(issues.create, { body: { issue: { title: 'Lamp', customer_id: one.id } } })).data
  expect(namesOf(await list({ issue_id: issue.id }))).toEqual(['Filtered One'])
  expect((await as.ada(tags.get, { params: { id: vip } })).data).toMatchObject({
    customers_count: 2,
    conversations_count: 0,
  })

  await as.ada(tags.removeFromCustomer, { params: { id: one.id, tag_id: trade } })
  await as.ada(tags.removeFromCustomerByBody, { params: { id: one.id }, body: { tag_id: vip } })
  await expect(as.ada(tags.removeFromCustomer, { params: { id: one.id, tag_id: vip } })).rejects.toMatchObject({
    status: 404,
  })
  expect((await as.ada(customerProfiles.get, { params: { id: one.id } })).data.tags).toEqual([])
})

test('the export holds every customer that matches, and no cell runs in a spreadsheet', async ({
  as,
  world,
  server,
  create,
  list,
}) => {
  await create({ name: '=HYPERLINK("evil")', email: 'csv@export.test', phone: '+44 20' })
  const { token } = world.ada
  const { body, headers } = await server.request('GET', '/api/customers/export.csv?q=csv', { token })
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  const [head, line, ...rest] = body.split('\r\n')
  expect(head).toMatch(/^\ufeffid,name,email,created_at,updated_at,first_seen,last_seen_at,phone,external_id,/)
  expect(line).toContain(`"'=HYPERLINK(""evil"")","csv@export.test"`)
  expect(line).toContain(`"'+44 20"`)
  expect(rest).toEqual([''])
  const again = await as.ada(customerImports.upload, { body: { content: body, filename: 'customers.csv' } })
  expect(again.data.columns[0]).toBe('id')
  expect(again.data.preview[0]).toEqual(expect.arrayContaining(['=HYPERLINK("evil")', '+44 20']))
  for (const text of ['@x', '-1', '\tx', '|x', '\rx', '\nx', '＝1', '＋1', '－1', '＠x', '﹦1'])
    expect(cell(text)).toBe(`"'${text}"`)
  const everything = String(await as.ada(customerProfiles.export)).split('\r\n')
  expect(everything.length).toBe((await list()).total_entries + 2)
})

test('a filter is saved under a name for the whole team, replaced by the same name, and removed', async ({ as }) => {
  const save = (name: string, query: Record<string, string>, who = as.ada) =>
    who(customerProfiles.saveFilter, { body: { customer_filter: { name, query } } })
  await save('Trade', { tag_id: 'a' })
  const second = await save('Trade', { tag_id: 'b' }, as.ben)
  const listed = async () => withoutBystanders((await as.ada(customerProfiles.listFilters)).data)
  expect(await listed()).toMatchObject([{ name: 'Trade', query: { tag_id: 'b' } }])
  await expect(save('', {})).rejects.toHaveProperty('errors', { name: ["can't be blank"] })
  await as.ada(customerProfiles.removeFilter, { params: { id: second.data.id } })
  expect(await listed()).toEqual([])
})

test('a deleted tag is removed from saved filters, and a filter with nothing else is deleted', async ({ as }) => {
  const tag = async (name: string) => (await as.ada(tags.create, { body: { tag: { name } } })).data.id
  const [lamps, chairs] = [await tag('Lamps'), await tag('Chairs')]
  const save = (name: string, query: Record<string, string>) =>
    as.ada(customerProfiles.saveFilter, { body: { customer_filter: { name, query } } })
  await save('Both', { tag_ids: `${lamps},${chairs}` })
  await save('Chairs', { tag_ids: chairs })
  await save('Lamps', { tag_ids: lamps })
  await save('Oak lamps', { tag_ids: lamps, q: 'oak' })
  await as.ada(tags.remove, { params: { id: lamps } })
  const remaining = withoutBystanders((await as.ada(customerProfiles.listFilters)).data)
  expect(remaining.map(({ name, query }) => [name, query])).toEqual([
    ['Both', { tag_ids: chairs }],
    ['Chairs', { tag_ids: chairs }],
    ['Oak lamps', { q: 'oak' }],
  ])
})

test('the list shows the newest conversation of each customer, and no archived one', async ({
  as,
  world,
  server,
  list,
}) => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Quincy' })
  const [older, newer] = [await startConversation(server, visitor), await startConversation(server, visitor)]
  const shown = async () => (await list({ q: 'quincy' })).data[0]?.conversations?.map(({ id }) => id)
  expect(await shown()).toEqual([newer.conversation_id])
  await as.ada(conversations.archive, { params: { id: newer.conversation_id } })
  expect(await shown()).toEqual([older.conversation_id])
})
