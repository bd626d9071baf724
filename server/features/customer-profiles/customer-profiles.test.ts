import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { type Json, startTestServer, type TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { createWorld, startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { cell } from '../../platform/csv.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const ask = (method: string, path: string, body?: object, token = world.ada.token) =>
  server.request(method, path, { token, body })
const create = async (customer: object): Promise<Json> => (await ask('POST', '/api/customers', { customer })).body.data
const list = async (query: Record<string, string> = {}): Promise<Json> =>
  (await ask('GET', `/api/customers?${new URLSearchParams(query)}`)).body
const namesOf = (page: Json): string[] => page.data.map((one: Json) => one.name)
const listen = async () => {
  const socket = new TestSocket(server.url, { token: world.ada.token })
  return { socket, received: await socket.join(`notification:${world.acme.id}`) }
}
const seenAt = (id: string, at: string) =>
  sql`update customers set last_seen_at = ${at} where id = ${id}`.execute(server.context.db)

test('customers come by page numbers, most recently seen first, ten at a time', async () => {
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

test('who is online stands first, on every page', async () => {
  const early = await startVisitor(server, world.acme.id, { name: 'Onlina Early' })
  const late = await create({ name: 'Onlina Late' })
  await seenAt(early.customer_id, '2025-01-01T00:00:00Z')
  await seenAt(late.id, '2031-01-01T00:00:00Z')
  const { conversation_id } = await startConversation(server, early)
  expect(namesOf(await list({ q: 'onlina' }))[0]).toBe('Onlina Late')
  const socket = new TestSocket(server.url, { visitor_token: early.token })
  const joined = await socket.join(`conversation:${conversation_id}`, { customer_id: early.customer_id })
  await joined.receive('presence_state')
  expect(namesOf(await list({ q: 'onlina' }))).toEqual(['Onlina Early', 'Onlina Late'])
  expect(namesOf(await list({ q: 'onlina', page_size: '1', page: '2' }))).toEqual(['Onlina Late'])
  socket.close()
})

test('every word is found at the beginning of words of name, e-mail, phone and external id, without accents', async () => {
  await create({ name: 'Đặng Hoàng Nam', email: 'nam@phố.test', phone: '+84 (24) 3825-1122', external_id: 'crm-77' })
  for (const q of ['dang', 'HOANG nam', 'nam pho', '842438251122', '3825', 'crm 77', 'Đặng', 'hoa', 'da na', '382']) {
    expect(namesOf(await list({ q })), q).toContain('Đặng Hoàng Nam')
  }
  for (const q of ['dang nobody', 'oang', '825']) expect(namesOf(await list({ q })), q).toEqual([])
  expect(namesOf(await list({ q: '...' }))).toEqual([])
})

test('API clients find customers by what a field says, by metadata, and take a page as CSV', async () => {
  const wanted = { name: 'Api Client', email: 'api_client@wire.test', browser: 'Lynx', metadata: { plan: 'oak' } }
  await create(wanted)
  await create({ name: 'Api Other', email: 'apixclient@wire.test', metadata: { plan: 'pine' } })
  for (const query of ['email=API_client@wire.test&browser=lynx', 'name=api cl%25', 'q=api plan:oak']) {
    expect(namesOf((await ask('GET', `/api/customers?${query}`)).body), query).toEqual(['Api Client'])
  }
  expect(namesOf(await list({ email: '%@WIRE.test' })).sort()).toEqual(['Api Client', 'Api Other'])
  await create({ name: 'Api Colon', external_id: 'crm:4711' })
  expect(namesOf(await list({ q: 'crm:4711' }))).toEqual(['Api Colon'])
  expect(await list({ email: '%@wire.test', limit: '1' })).toMatchObject({ page_size: 1, total_entries: 2 })
  const table = await ask('GET', '/api/customers?format=csv&email=%25@wire.test&page_size=1')
  expect(table.headers['content-type']).toBe('text/csv; charset=utf-8')
  const [head, line, end] = table.body.split('\r\n')
  expect(head).toMatch(/^\ufeff?id,name,email,created_at,updated_at,first_seen,last_seen_at,phone,external_id,host,/)
  expect(line).toMatch(/^"[-\w]{36}","Api Other","apixclient@wire.test",/)
  expect(end).toBe('')
})

test('a customer whom the team adds may work for a company of the account', async () => {
  const company = (await ask('POST', '/api/companies', { company: { name: 'Employer' } })).body.data
  const added = await create({ name: 'Employed', company_id: company.id })
  expect(added.company_id).toBe(company.id)
  const refused = await ask('POST', '/api/customers', { customer: { company_id: randomUUID() } })
  expect(refused.body.error.errors).toEqual({ company_id: ['does not exist'] })
  const emptied = await ask('PUT', `/api/customers/${added.id}`, { customer: { company_id: null, metadata: null } })
  expect(emptied.body.data).toMatchObject({ company_id: null, metadata: {} })
})

test('without anonymous ones only customers with an e-mail address are listed', async () => {
  await create({ name: 'Anon Without' })
  await create({ name: 'Anon With', email: 'with@mail.test' })
  expect(namesOf(await list({ q: 'anon' })).sort()).toEqual(['Anon With', 'Anon Without'])
  expect(namesOf(await list({ q: 'anon', include_anonymous: 'false' }))).toEqual(['Anon With'])
})

test('customers are found by all of several tags, by company and by issue', async () => {
  const one = await create({ name: 'Filtered One' })
  const two = await create({ name: 'Filtered Two' })
  const tag = async (name: string) => (await ask('POST', '/api/tags', { tag: { name } })).body.data.id
  const [vip, trade] = [await tag('filter vip'), await tag('filter trade')]
  for (const tag_id of [vip, vip, trade]) await ask('POST', `/api/customers/${one.id}/tags`, { tag_id })
  await ask('POST', `/api/customers/${two.id}/tags`, { tag_id: vip })
  expect(namesOf(await list({ tag_id: vip })).sort()).toEqual(['Filtered One', 'Filtered Two'])
  const both = await ask('GET', `/api/customers?tag_ids[]=${vip}&tag_ids[]=${trade}`)
  expect(namesOf(both.body)).toEqual(['Filtered One'])
  expect(both.body.data[0].tags.map((each: Json) => each.name)).toEqual(['filter trade', 'filter vip'])

  const company = (await ask('POST', '/api/companies', { company: { name: 'Filter Ltd' } })).body.data
  await ask('PUT', `/api/customers/${two.id}`, { customer: { company_id: company.id } })
  expect((await list({ company_id: company.id })).data).toMatchObject([
    { name: 'Filtered Two', company: { name: 'Filter Ltd' } },
  ])
  const issue = (await ask('POST', '/api/issues', { issue: { title: 'Lamp', customer_id: one.id } })).body.data
  expect(namesOf(await list({ issue_id: issue.id }))).toEqual(['Filtered One'])
  expect((await ask('GET', `/api/tags/${vip}`)).body.data).toMatchObject({ customers_count: 2, conversations_count: 0 })

  await ask('DELETE', `/api/customers/${one.id}/tags/${trade}`)
  await ask('DELETE', `/api/customers/${one.id}/tags`, { tag_id: vip })
  expect((await ask('DELETE', `/api/customers/${one.id}/tags/${vip}`)).status).toBe(404)
  expect((await ask('GET', `/api/customers/${one.id}`)).body.data.tags).toEqual([])
})

test('a customer comes with what is asked for beside it', async () => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Expanded' })
  const { conversation_id } = await startConversation(server, visitor, 'Is it oak?')
  await ask('POST', '/api/notes', { note: { customer_id: visitor.customer_id, body: 'Likes oak' } })
  const path = `/api/customers/${visitor.customer_id}`
  expect(Object.keys((await ask('GET', path)).body.data)).toEqual(expect.arrayContaining(['company', 'tags']))
  const all = ['company', 'tags', 'conversations', 'messages', 'notes', 'issues', 'nonsense']
  const { body } = await ask('GET', `${path}?${all.map((name) => `expand[]=${name}`).join('&')}`)
  expect(body.data).toMatchObject({
    company: null,
    tags: [],
    conversations: [{ id: conversation_id }],
    messages: [{ body: 'Is it oak?' }],
    notes: [{ body: 'Likes oak', author: { id: world.ada.id } }],
    issues: [],
  })
})

test('the team changes what is known of a customer, and everybody receives the new name', async () => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Before' })
  const { socket, received } = await listen()
  const path = `/api/customers/${visitor.customer_id}`
  const changed = await ask('PUT', path, { customer: { name: ' After ', email: 'after@mail.test', phone: '' } })
  expect(changed.body.data).toMatchObject({ name: 'After', title: 'After', email: 'after@mail.test', phone: null })
  expect(await received.receive('customer:updated', (one) => one.name === 'After')).toMatchObject({
    id: visitor.customer_id,
  })
  socket.close()
  const refused = await ask('PUT', path, { customer: { email: 'nowhere', company_id: randomUUID() } })
  expect(refused.body.error).toMatchObject({ status: 422, errors: { email: ['has invalid format'] } })
  const stranger = await ask('PUT', path, { customer: { company_id: randomUUID() } })
  expect(stranger.body.error.errors).toEqual({ company_id: ['does not exist'] })
  await create({ external_id: 'taken-by-me' })
  const taken = await ask('PUT', path, { customer: { external_id: 'taken-by-me' } })
  expect(taken.body.error.errors).toEqual({ external_id: ['has already been taken'] })
})

test('the team is told of a visitor who says a name or goes to another page, and not of one who says the same again', async () => {
  const visitor = await startVisitor(server, world.acme.id)
  await startConversation(server, visitor)
  const { socket, received } = await listen()
  const tell = (metadata: object) =>
    server.request('PUT', `/api/customers/${visitor.customer_id}/metadata`, {
      token: visitor.token,
      body: { metadata },
    })
  await tell({ name: 'Wanda', current_url: 'https://shop.test/a' })
  await tell({ name: 'Wanda', current_url: 'https://shop.test/a' })
  await tell({ current_url: 'https://shop.test/b' })
  await received.receive('customer:updated', (one) => one.current_url === 'https://shop.test/b')
  expect(received.received.filter(({ event }) => event === 'customer:updated')).toHaveLength(2)
  socket.close()
})

test('fifty visits at once with one external id make one customer', async () => {
  const customer = { account_id: world.acme.id, external_id: 'fifty', name: 'Fifty' }
  const visits = await Promise.all(
    Array.from({ length: 50 }, () => server.request('POST', '/api/customers', { body: { customer } })),
  )
  expect(new Set(visits.map(({ body }) => body.data.id)).size).toBe(1)
  expect((await list({ external_id: 'fifty' })).total_entries).toBe(1)
})

test('messages of a blocked customer are refused at every door until they are taken again', async () => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Spammer' })
  const { conversation_id } = await startConversation(server, visitor)
  const socket = new TestSocket(server.url, { visitor_token: visitor.token })
  const joined = await socket.join(`conversation:${conversation_id}`)
  const block = `/api/customers/${visitor.customer_id}/block`
  expect((await ask('POST', block)).body.data.blocked_at).toMatch(/Z$/)
  const post = () =>
    server.request('POST', '/api/messages', {
      token: visitor.token,
      body: { message: { conversation_id, body: 'Buy now' } },
    })
  expect((await post()).body.error).toMatchObject({
    status: 403,
    message: 'This conversation no longer takes messages.',
  })
  await expect(joined.push('shout', { body: 'Buy now' })).rejects.toThrow('no longer takes messages')
  const start = await server.request('POST', '/api/conversations', { token: visitor.token, body: { conversation: {} } })
  expect(start.status).toBe(403)
  expect(withoutBystanders((await list({ blocked: 'true' })).data)).toMatchObject([{ name: 'Spammer' }])
  expect((await ask('DELETE', block)).body.data.blocked_at).toBe(null)
  expect((await post()).status).toBe(201)
  socket.close()
})

test('an erased customer is nobody any more: browsers are signed out, conversations archived, words kept there', async () => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Erasmus', email: 'erasmus@mail.test' })
  const { conversation_id } = await startConversation(server, visitor, 'Forget me')
  await ask('POST', '/api/notes', { note: { customer_id: visitor.customer_id, body: 'Erasmus called' } })
  const { socket, received } = await listen()
  const path = `/api/customers/${visitor.customer_id}`
  expect((await ask('DELETE', path)).status).toBe(204)
  expect(await received.receive('customer:deleted')).toEqual({ id: visitor.customer_id })
  socket.close()
  expect((await ask('GET', path)).status).toBe(404)
  expect((await ask('DELETE', path)).status).toBe(404)
  expect((await list({ q: 'erasmus' })).data).toEqual([])
  expect((await server.request('GET', '/api/visitor_sessions', { token: visitor.token })).status).toBe(401)
  const { rows } = await sql<{ row: string }>`
    select to_jsonb(c)::text as row from customers c where id = ${visitor.customer_id}
    union all select to_jsonb(n)::text from customer_notes n where customer_id = ${visitor.customer_id}`.execute(
    server.context.db,
  )
  expect(JSON.stringify(rows).toLowerCase()).not.toContain('erasmus')
  const archived = (await ask('GET', `/api/conversations/${conversation_id}`)).body.data
  expect(archived).toMatchObject({ customer: { title: 'Anonymous User' }, messages: [{ body: 'Forget me' }] })
  expect(archived.archived_at).not.toBe(null)
  const trail = (await ask('GET', '/api/audit_entries?action=customer.deleted')).body.data
  expect(trail[0]).toMatchObject({ user_id: world.ada.id, subject_id: visitor.customer_id, subject_name: null })
})

test('the export holds every customer that matches, and no cell runs in a spreadsheet', async () => {
  await create({ name: '=HYPERLINK("evil")', email: 'csv@export.test', phone: '+44 20' })
  const { body, headers } = await ask('GET', '/api/customers/export.csv?q=csv')
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  const [head, line, ...rest] = body.split('\r\n')
  expect(head).toMatch(/^\ufeffid,name,email,created_at,updated_at,first_seen,last_seen_at,phone,external_id,/)
  expect(line).toContain(`"'=HYPERLINK(""evil"")","csv@export.test"`)
  expect(line).toContain(`"'+44 20"`)
  expect(rest).toEqual([''])
  const again = await ask('POST', '/api/customers/import', { content: body, filename: 'customers.csv' })
  expect(again.body.data.columns[0]).toBe('id')
  expect(again.body.data.preview[0]).toEqual(expect.arrayContaining(['=HYPERLINK("evil")', '+44 20']))
  for (const text of ['@x', '-1', '\tx']) expect(cell(text)).toBe(`"'${text}"`)
  const everything = (await ask('GET', '/api/customers/export.csv')).body.split('\r\n')
  expect(everything.length).toBe((await list()).total_entries + 2)
})

test('members neither export the list nor delete customers, until an admin allows it', async () => {
  const { id } = await create({ name: 'Kept' })
  const attempts = async () => [
    (await ask('GET', '/api/customers/export.csv', undefined, world.ben.token)).status,
    (await ask('GET', '/api/customers?format=csv', undefined, world.ben.token)).status,
    (await ask('DELETE', `/api/customers/${id}`, undefined, world.ben.token)).status,
  ]
  const allow = (members_manage_customers: boolean) =>
    ask('PUT', '/api/accounts/me', { account: { settings: { members_manage_customers } } })
  expect(await attempts()).toEqual([403, 403, 403])
  const refusal = await ask('DELETE', `/api/customers/${id}`, undefined, world.ben.token)
  expect(refusal.body.error.message).toContain('An admin can allow it')
  await allow(true)
  expect(await attempts()).toEqual([200, 200, 204])
  await allow(false)
})

test('a filter is saved under a name for the whole team, replaced by the same name, and removed', async () => {
  const save = (name: string, query: object, token?: string) =>
    ask('POST', '/api/customer_filters', { customer_filter: { name, query } }, token)
  await save('Trade', { tag_id: 'a' })
  const second = await save('Trade', { tag_id: 'b' }, world.ben.token)
  const listed = async () => withoutBystanders((await ask('GET', '/api/customer_filters')).body.data)
  expect(await listed()).toMatchObject([{ name: 'Trade', query: { tag_id: 'b' } }])
  expect((await save('', {})).body.error.errors).toEqual({ name: ["can't be blank"] })
  expect((await ask('DELETE', `/api/customer_filters/${second.body.data.id}`)).status).toBe(204)
  expect(await listed()).toEqual([])
})

test('a tag that is deleted leaves saved filters, and one that asked for nothing else goes with it', async () => {
  const tags = []
  for (const name of ['Lamps', 'Chairs']) tags.push((await ask('POST', '/api/tags', { tag: { name } })).body.data.id)
  const [lamps, chairs] = tags
  const save = (name: string, query: object) =>
    ask('POST', '/api/customer_filters', { customer_filter: { name, query } })
  await save('Both', { tag_ids: `${lamps},${chairs}` })
  await save('Chairs', { tag_ids: chairs })
  await save('Lamps', { tag_ids: lamps })
  await save('Oak lamps', { tag_ids: lamps, q: 'oak' })
  expect((await ask('DELETE', `/api/tags/${lamps}`)).status).toBe(204)
  const left = withoutBystanders<Json>((await ask('GET', '/api/customer_filters')).body.data)
  expect(left.map(({ name, query }: Json) => [name, query])).toEqual([
    ['Both', { tag_ids: chairs }],
    ['Chairs', { tag_ids: chairs }],
    ['Oak lamps', { q: 'oak' }],
  ])
})

test('nobody of another account finds, changes, blocks, merges or erases a customer', async () => {
  const { customer_id } = world.carla
  const olga = world.olga.token
  const path = `/api/customers/${customer_id}`
  for (const [method, end, body] of [
    ['GET', ''],
    ['PUT', '', { customer: { name: 'Hacked' } }],
    ['DELETE', ''],
    ['POST', '/block'],
    ['POST', '/merge', { customer_id: randomUUID() }],
    ['POST', '/unmerge'],
    ['POST', '/tags', { tag_id: randomUUID() }],
    ['POST', '/issues', { issue_id: randomUUID() }],
  ] as const) {
    expect((await ask(method, path + end, body, olga)).status, method + end).toBe(404)
  }
  expect((await ask('GET', path)).body.data.name).toBe('Carla')
})

test('the list shows the newest conversation of each customer, and no archived one', async () => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Quincy' })
  const [older, newer] = [await startConversation(server, visitor), await startConversation(server, visitor)]
  const shown = async () => (await list({ q: 'quincy' })).data[0].conversations.map(({ id }: { id: string }) => id)
  expect(await shown()).toEqual([newer.conversation_id])
  await ask('POST', `/api/conversations/${newer.conversation_id}/archive`)
  expect(await shown()).toEqual([older.conversation_id])
})
