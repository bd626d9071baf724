import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, type World } from '#tests/support/world.ts'
import { readCsv } from './csv.ts'
import { forgetImportsWith, forgetUnstartedImports } from './imports.ts'
import { runImport } from './run-import.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const ask = (method: string, path: string, body?: object, token = world.ben.token) =>
  server.request(method, path, { token, body })
const upload = (content: string) => ask('POST', '/api/customers/import', { content, filename: 'people.csv' })
const start = (id: string, mapping: (string | null)[]) => ask('POST', `/api/customer_imports/${id}/start`, { mapping })
const find = async (q: string): Promise<Json[]> => (await ask('GET', `/api/customers?q=${q}&page_size=100`)).body.data

/** Waits until the job has done its work. */
async function finish(id: string): Promise<Json> {
  for (let i = 0; i < 900; i++) {
    const { data } = (await ask('GET', `/api/customer_imports/${id}`)).body
    if (data.status === 'done') return data
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('The import did not end.')
}

test('a CSV is read with quotes, line breaks in cells, either separator and any line end', () => {
  expect([...readCsv('\ufeffa;b\r\n"1;""x""\r\ny";2\r\n\r\n ;\n3;4')]).toEqual([
    ['a', 'b'],
    ['1;"x"\r\ny', '2'],
    ['3', '4'],
  ])
  expect([...readCsv('a,b\n"open')]).toEqual([['a', 'b'], ['open']])
  expect([...readCsv('"Last, first, other";Email\nA;b')]).toEqual([
    ['Last, first, other', 'Email'],
    ['A', 'b'],
  ])
})

test('rows about one person are one person, wherever in the file their id stands', async () => {
  await ask('POST', '/api/customers', { customer: { name: 'Known', external_id: 'd-9', email: 'd9@twice.test' } })
  const file = [
    'id,email,phone,plan',
    'd-1,D1@twice.test,1,plus',
    ',d1@twice.test,2,',
    ',d2@twice.test,3,trade',
    'd-2,d2@twice.test,,',
    'd-3,d2@twice.test,4,',
    'd-9,,5,',
    ',d9@twice.test,,trade',
  ].join('\n')
  const { id } = (await upload(file)).body.data
  await start(id, ['external_id', 'email', 'phone', 'metadata'])
  await finish(id)
  const found = (await find('twice.test')).map(({ external_id, phone, metadata }) => [
    external_id,
    phone,
    metadata.plan,
  ])
  expect(found.toSorted()).toEqual([
    ['d-1', '2', 'plus'],
    ['d-2', '3', 'trade'],
    ['d-3', '4', undefined],
    ['d-9', '5', 'trade'],
  ])
})

test('a file is shown with its columns and first rows before anything is added', async () => {
  const { status, body } = await upload('Name,E-Mail,Customer ID,Plan\nPreviewed,p@import.test,42,plus\n')
  expect(status).toBe(201)
  expect(body.data).toMatchObject({
    filename: 'people.csv',
    columns: ['Name', 'E-Mail', 'Customer ID', 'Plan'],
    mapping: ['name', 'email', 'external_id', null],
    preview: [['Previewed', 'p@import.test', '42', 'plus']],
    status: 'waiting',
    rows_total: 1,
  })
  expect(await find('previewed')).toEqual([])
})

test('what is too long is cut, also in the middle of an emoji', async () => {
  const { id } = (await upload(`id,plan\nlong-1,${'x'.repeat(1999)}😀`)).body.data
  await start(id, ['external_id', 'metadata'])
  expect(await finish(id)).toMatchObject({ created_count: 1, failed_count: 0 })
  expect((await find('long-1'))[0].metadata.plan).toHaveLength(2000)
})

test('our own export can be read again: its columns are known, each field once', async () => {
  const exported = await ask('GET', '/api/customers/export.csv?q=twice.test', undefined, world.ada.token)
  const { data } = (await upload(exported.body)).body
  const known = data.columns.flatMap((name: string, at: number) => (data.mapping[at] ? [[name, data.mapping[at]]] : []))
  expect(known).toEqual([
    ['name', 'name'],
    ['email', 'email'],
    ['phone', 'phone'],
    ['external_id', 'external_id'],
    ['time_zone', 'time_zone'],
  ])
})

test('rows are added or update who is there, wrong ones are told of, and the same file again makes nobody twice', async () => {
  await ask('POST', '/api/customers', { customer: { name: 'Old Imported', email: 'Two@import.test' } })
  const file = [
    'name,email,id,plan',
    'Imported One,one@import.test,i-1,plus',
    'Imported Two,two@import.test,,trade',
    'Imported Bad,nowhere,i-3,',
    'Imported Nobody,,,',
    'Imported One Again,one@import.test,i-1,',
  ].join('\n')
  for (const round of [1, 2]) {
    const { id } = (await upload(file)).body.data
    const mapping = ['name', 'email', 'external_id', 'metadata']
    expect((await start(id, mapping)).body.data.status).not.toBe('waiting')
    const done = await finish(id)
    expect(done).toMatchObject({ rows_done: 5, failed_count: 2, preview: [] })
    expect(done.created_count).toBe(round === 1 ? 1 : 0)
    expect(done.errors).toEqual([
      { row: 3, message: 'email has invalid format' },
      { row: 4, message: 'has neither an external id nor an e-mail address' },
    ])
    const found = (await find('import.test')).toSorted((one, other) => one.name.localeCompare(other.name))
    expect(found).toMatchObject([
      { name: 'Imported One Again', external_id: 'i-1', metadata: { plan: 'plus' } },
      { name: 'Imported Two', email: 'two@import.test', metadata: { plan: 'trade' } },
    ])
    expect(found).toHaveLength(2)
  }
})

test('an address finds who has it, who gets the external id; two external ids are two people', async () => {
  await ask('POST', '/api/customers', { customer: { name: 'Without', email: 'without@ids.test' } })
  await ask('POST', '/api/customers', { customer: { name: 'With', email: 'with@ids.test', external_id: 'ids-1' } })
  const { id } = (await upload('id,email\nids-2,Without@ids.test\nids-3,with@ids.test')).body.data
  await start(id, ['external_id', 'email'])
  expect(await finish(id)).toMatchObject({ created_count: 1, updated_count: 1 })
  const found = (await find('ids.test')).map(({ name, external_id }) => [external_id, name])
  expect(found.toSorted()).toEqual([
    ['ids-1', 'With'],
    ['ids-2', 'Without'],
    ['ids-3', null],
  ])
})

test('many rows go in batch by batch, and a run that was cut off goes on where it stopped', async () => {
  const rows = Array.from({ length: 1700 }, (_, i) => `Batched ${i},batch${i}@import.test`)
  const { id } = (await upload(`name,email\n${rows.join('\n')}`)).body.data
  await start(id, ['name', 'email'])
  // Several runs at once, as after a node was thought dead.
  const { context } = server
  await Promise.allSettled([1, 2, 3].map(() => runImport.run(context, { account_id: world.acme.id, import_id: id })))
  expect(await finish(id)).toMatchObject({ rows_done: 1700, created_count: 1700, failed_count: 0 })
  expect((await ask('GET', '/api/customers?q=batched')).body.total_entries).toBe(1700)
  expect((await ask('GET', '/api/customer_imports')).body.data[0]).toMatchObject({ id, status: 'done' })
})

test('what cannot be used is refused with a sentence', async () => {
  expect((await upload(' ')).body.error.errors).toEqual({ file: ["can't be blank"] })
  expect((await upload('name,email\n')).body.error.message).toBe('This file has no rows below its head.')
  const { id } = (await upload('name,email\nA,a@import.test')).body.data
  expect((await start(id, ['name'])).body.error.errors).toHaveProperty('mapping')
  expect((await start(id, ['name', null])).body.error.errors.mapping[0]).toMatch(/external id or the e-mail/)
  expect((await start(id, ['email', 'email'])).body.error.errors.mapping[0]).toMatch(/twice/)
  expect((await ask('GET', `/api/customer_imports/${id}`, undefined, world.olga.token)).status).toBe(404)
})

test('a file that nobody has started for a day is forgotten, an import that was made never', async () => {
  const [old, fresh] = [await upload('email\nold@import.test'), await upload('email\nnew@import.test')]
  const made = await upload('email\nmade@import.test')
  await start(made.body.data.id, ['email'])
  await finish(made.body.data.id)
  expect((await start(made.body.data.id, ['email'])).body.data.status).toBe('done')
  const { db } = server.context
  const created_at = new Date(Date.now() - 25 * 3_600_000).toISOString()
  const ids = [old, made].map(({ body }) => body.data.id)
  await db.updateTable('customer_imports').set({ created_at }).where('id', 'in', ids).execute()
  await forgetUnstartedImports(db)
  const statusOf = async ({ body }: Json) => (await ask('GET', `/api/customer_imports/${body.data.id}`)).status
  expect([await statusOf(old), await statusOf(fresh), await statusOf(made)]).toEqual([404, 200, 200])
})

test('two files that are worked through at once keep to their own rows', async () => {
  const files = ['email\none@both.test\ntwo@both.test', 'email\nthree@both.test']
  const ids = await Promise.all(files.map(async (content) => (await upload(content)).body.data.id))
  await Promise.all(ids.map((id) => start(id, ['email'])))
  const done = await Promise.all(ids.map(finish))
  expect(done.map(({ rows_done, created_count }) => [rows_done, created_count])).toEqual([
    [2, 2],
    [1, 1],
  ])
})

test('only files that wait are forgotten for a word in them; one that is being worked through goes on', async () => {
  const [waiting, running, other] = await Promise.all(
    ['100%_sure@word.test', '100%_sure@word.test', '1000 sure@word.test'].map((email) => upload(`email\n${email}`)),
  )
  const { db } = server.context
  await db.updateTable('customer_imports').set({ status: 'running' }).where('id', '=', running!.body.data.id).execute()
  await server.context.change((open) => forgetImportsWith(open, world.acme.id, ['100%_SURE@word.test']))
  const statusOf = async ({ body }: Json) => (await ask('GET', `/api/customer_imports/${body.data.id}`)).status
  expect([await statusOf(waiting), await statusOf(running), await statusOf(other)]).toEqual([404, 200, 200])
})
