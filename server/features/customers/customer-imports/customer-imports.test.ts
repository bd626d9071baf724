import { customerImports } from '#contract/customers/customer-imports.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { test as base, expect, statusOf } from '#tests/support/fixture.ts'
import type { Json } from '#tests/support/server.ts'
import { readCsv } from './csv.ts'
import { deleteImportsWith, pruneUnstartedImports } from './imports.ts'
import { runImport } from './run-import.ts'

const test = base
  .extend('upload', ({ as }) => (content: string) => {
    return as.ben(customerImports.upload, { body: { content, filename: 'people.csv' } })
  })
  .extend('start', ({ as }) => (id: string, mapping: BodyInput<typeof customerImports.start>['mapping']) => {
    return as.ben(customerImports.start, { params: { id }, body: { mapping } })
  })
  .extend('find', ({ as }) => async (q: string): Promise<Json[]> => {
    return (await as.ben(customerProfiles.list, { query: { q, page_size: 100 } })).data
  })
  /** Waits until the job has finished. */
  .extend('finish', ({ as }) => async (id: string): Promise<Json> => {
    for (let i = 0; i < 900; i++) {
      const { data } = await as.ben(customerImports.get, { params: { id } })
      if (data.status === 'done') return data
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error('The import did not end.')
  })

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
  for (const named of ['sep=;\r\n', '"sep=;"\n', '\ufeffSEP=;\n']) {
    expect([...readCsv(`${named}Name;Note\nA;1,2,3`)]).toEqual([
      ['Name', 'Note'],
      ['A', '1,2,3'],
    ])
  }
  expect([...readCsv('sep=|\na|b')]).toEqual([['a', 'b']])
})

test('files of all spreadsheets are read by their character encoding, which is shown and can be chosen', async ({
  server,
  world,
}) => {
  const send = async (bytes: Uint8Array<ArrayBuffer>, encoding?: string) => {
    const body = new FormData()
    body.append('file', new Blob([bytes]), 'people.csv')
    if (encoding) body.append('encoding', encoding)
    const headers = { authorization: world.ben.token }
    const response = await fetch(`${server.url}/api/customers/import`, { method: 'POST', headers, body })
    return { status: response.status, ...(await response.json()) }
  }
  const text = 'name;email\r\nZoë Müller;zoe@acme.test'
  const latin = new Uint8Array(Buffer.from(text, 'latin1'))
  const utf16 = new Uint8Array(Buffer.from(text, 'utf16le'))
  const swapped = utf16.map((_, at) => utf16[at ^ 1]!)
  const files: [Uint8Array<ArrayBuffer>, string][] = [
    [new Uint8Array(Buffer.from(text)), 'utf-8'],
    [new Uint8Array(Buffer.from(`\ufeff${text}`)), 'utf-8'],
    [latin, 'windows-1252'],
    [utf16, 'utf-16le'],
    [new Uint8Array([0xff, 0xfe, ...utf16]), 'utf-16le'],
    [swapped, 'utf-16be'],
    [new Uint8Array([0xfe, 0xff, ...swapped]), 'utf-16be'],
  ]
  for (const [bytes, encoding] of files) {
    const { data } = await send(bytes)
    expect(data).toMatchObject({ encoding, preview: [['Zoë Müller', 'zoe@acme.test']], mapping: ['name', 'email'] })
  }
  const cyrillic = new Uint8Array([...Buffer.from('name;email\n'), 0xcc, 0xe8, 0xf0, ...Buffer.from(';m@acme.test')])
  expect((await send(cyrillic)).data.preview).toEqual([['Ìèð', 'm@acme.test']])
  expect((await send(cyrillic, 'windows-1251')).data).toMatchObject({
    encoding: 'windows-1251',
    preview: [['Мир', 'm@acme.test']],
  })
  expect((await send(cyrillic, 'klingon')).status).toBe(422)
  const binary = new Uint8Array(Buffer.from('504b030414000600080000002100000000ff', 'hex'))
  expect(await send(binary)).toMatchObject({
    status: 422,
    error: { message: expect.stringContaining('not a text file') },
  })
})

test('a list of phone numbers is imported: each number is one customer, whatever its spelling', async ({
  as,
  upload,
  start,
  finish,
  find,
}) => {
  await as.ben(customers.create, { body: { customer: { name: 'Called', phone: '+49 30 90 18 20' } } })
  const file =
    'Name;Phone\nCalled Again;0049 30 901820\nNew Caller;+84 90 123 4567\nNew Caller 2;+84901234567\nToo Short;110'
  const { data } = await upload(file)
  expect(data.mapping).toEqual(['name', 'phone'])
  for (const created_count of [1, 0]) {
    const { id } = (await upload(file)).data
    await start(id, data.mapping)
    expect(await finish(id)).toMatchObject({
      created_count,
      errors: [{ row: 4, message: 'has no external id, e-mail address or phone number' }],
    })
  }
  const names = (await find('Call')).map(({ name }) => name)
  expect(names.toSorted()).toEqual(['Called Again', 'New Caller 2'])
})

test('rows about one person become one customer, wherever in the file their id is', async ({
  as,
  upload,
  start,
  finish,
  find,
}) => {
  await as.ben(customers.create, { body: { customer: { name: 'Known', external_id: 'd-9', email: 'd9@twice.test' } } })
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
  const { id } = (await upload(file)).data
  await start(id, ['external_id', 'email', 'phone', 'metadata'])
  await finish(id)
  const imported = (await find('twice.test')).map(({ external_id, phone, metadata }) => [
    external_id,
    phone,
    metadata.plan,
  ])
  expect(imported.toSorted()).toEqual([
    ['d-1', '2', 'plus'],
    ['d-2', '3', 'trade'],
    ['d-3', '4', undefined],
    ['d-9', '5', 'trade'],
  ])
})

test('a file is shown with its columns and first rows before anything is added', async ({ upload, find }) => {
  const { data } = await upload('Name,E-Mail,Customer ID,Plan\nPreviewed,p@import.test,42,plus\n')
  expect(data).toMatchObject({
    filename: 'people.csv',
    columns: ['Name', 'E-Mail', 'Customer ID', 'Plan'],
    mapping: ['name', 'email', 'external_id', null],
    preview: [['Previewed', 'p@import.test', '42', 'plus']],
    status: 'waiting',
    rows_total: 1,
  })
  expect(await find('previewed')).toEqual([])
})

test('an overlong value is truncated, also in the middle of an emoji', async ({ upload, start, finish, find }) => {
  const { id } = (await upload(`id,plan\nlong-1,${'x'.repeat(1999)}😀`)).data
  await start(id, ['external_id', 'metadata'])
  expect(await finish(id)).toMatchObject({ created_count: 1, failed_count: 0 })
  expect((await find('long-1'))[0].metadata.plan).toHaveLength(2000)
})

test('our own export can be read again: its columns are known, each field once', async ({ as, upload }) => {
  const exported = await as.ada(customerProfiles.export, { query: { q: 'twice.test' } })
  const { data } = await upload(String(exported))
  const mapped = data.columns.flatMap((name, at) => (data.mapping[at] ? [[name, data.mapping[at]]] : []))
  expect(mapped).toEqual([
    ['name', 'name'],
    ['email', 'email'],
    ['phone', 'phone'],
    ['external_id', 'external_id'],
    ['time_zone', 'time_zone'],
  ])
})

test('rows create or update customers, invalid ones are reported, and repeating the file creates no duplicates', async ({
  as,
  upload,
  start,
  finish,
  find,
}) => {
  await as.ben(customers.create, { body: { customer: { name: 'Old Imported', email: 'Two@import.test' } } })
  const file = [
    'name,email,id,plan',
    'Imported One,one@import.test,i-1,plus',
    'Imported Two,two@import.test,,trade',
    'Imported Bad,nowhere,i-3,',
    'Imported Nobody,,,',
    'Imported One Again,one@import.test,i-1,',
  ].join('\n')
  for (const round of [1, 2]) {
    const { id } = (await upload(file)).data
    expect((await start(id, ['name', 'email', 'external_id', 'metadata'])).data.status).not.toBe('waiting')
    const done = await finish(id)
    expect(done).toMatchObject({ rows_done: 5, failed_count: 2, preview: [] })
    expect(done.created_count).toBe(round === 1 ? 1 : 0)
    expect(done.errors).toEqual([
      { row: 3, message: 'email has invalid format' },
      { row: 4, message: 'has no external id, e-mail address or phone number' },
    ])
    const imported = (await find('import.test')).toSorted((a, b) => a.name.localeCompare(b.name))
    expect(imported).toMatchObject([
      { name: 'Imported One Again', external_id: 'i-1', metadata: { plan: 'plus' } },
      { name: 'Imported Two', email: 'two@import.test', metadata: { plan: 'trade' } },
    ])
    expect(imported).toHaveLength(2)
  }
})

test('a row with a known address sets the external id of that customer; two external ids are two people', async ({
  as,
  upload,
  start,
  finish,
  find,
}) => {
  await as.ben(customers.create, { body: { customer: { name: 'Without', email: 'without@ids.test' } } })
  await as.ben(customers.create, { body: { customer: { name: 'With', email: 'with@ids.test', external_id: 'ids-1' } } })
  const { id } = (await upload('id,email\nids-2,Without@ids.test\nids-3,with@ids.test')).data
  await start(id, ['external_id', 'email'])
  expect(await finish(id)).toMatchObject({ created_count: 1, updated_count: 1 })
  const imported = (await find('ids.test')).map(({ name, external_id }) => [external_id, name])
  expect(imported.toSorted()).toEqual([
    ['ids-1', 'With'],
    ['ids-2', 'Without'],
    ['ids-3', null],
  ])
})

test('many rows are imported in batches, and an interrupted run continues where it stopped', async ({
  as,
  world,
  server,
  upload,
  start,
  finish,
}) => {
  const rows = Array.from({ length: 1700 }, (_, i) => `Batched ${i},batch${i}@import.test`)
  const { id } = (await upload(`name,email\n${rows.join('\n')}`)).data
  await start(id, ['name', 'email'])
  // Several runs at once, as after a node was wrongly thought dead.
  const { context } = server
  await Promise.allSettled([1, 2, 3].map(() => runImport.run(context, { account_id: world.acme.id, import_id: id })))
  expect(await finish(id)).toMatchObject({ rows_done: 1700, created_count: 1700, failed_count: 0 })
  expect((await as.ben(customerProfiles.list, { query: { q: 'batched' } })).total_entries).toBe(1700)
  expect((await as.ben(customerImports.list)).data[0]).toMatchObject({ id, status: 'done' })
})

test('an unusable file is refused with an explanation', async ({ as, upload, start }) => {
  await expect(upload(' ')).rejects.toHaveProperty('errors', { file: ["can't be blank"] })
  await expect(upload('name,email\n')).rejects.toMatchObject({ message: 'This file has no rows below its header.' })
  const { id } = (await upload('name,email\nA,a@import.test')).data
  await expect(start(id, ['name'])).rejects.toHaveProperty('errors.mapping')
  await expect(start(id, ['name', null])).rejects.toHaveProperty(
    'errors.mapping[0]',
    expect.stringMatching(/external ID, the e-mail address or the phone/),
  )
  await expect(start(id, ['email', 'email'])).rejects.toHaveProperty(
    'errors.mapping[0]',
    expect.stringMatching(/twice/),
  )
  await expect(as.olga(customerImports.get, { params: { id } })).rejects.toMatchObject({ status: 404 })
})

test('a file that was not started within a day is deleted, a finished import is kept', async ({
  as,
  server,
  upload,
  start,
  finish,
}) => {
  const [old, fresh] = [await upload('email\nold@import.test'), await upload('email\nnew@import.test')]
  const made = await upload('email\nmade@import.test')
  await start(made.data.id, ['email'])
  await finish(made.data.id)
  expect((await start(made.data.id, ['email'])).data.status).toBe('done')
  const { db } = server.context
  const created_at = new Date(Date.now() - 25 * 3_600_000).toISOString()
  const ids = [old, made].map(({ data }) => data.id)
  await db.updateTable('customer_imports').set({ created_at }).where('id', 'in', ids).execute()
  await pruneUnstartedImports(db)
  const statuses = [old, fresh, made].map(({ data }) =>
    statusOf(as.ben(customerImports.get, { params: { id: data.id } })),
  )
  expect(await Promise.all(statuses)).toEqual([404, 200, 200])
})

test('two concurrent imports do not mix their rows', async ({ upload, start, finish }) => {
  const files = ['email\none@both.test\ntwo@both.test', 'email\nthree@both.test']
  const ids = await Promise.all(files.map(async (content) => (await upload(content)).data.id))
  await Promise.all(ids.map((id) => start(id, ['email'])))
  const done = await Promise.all(ids.map(finish))
  expect(done.map(({ rows_done, created_count }) => [rows_done, created_count])).toEqual([
    [2, 2],
    [1, 1],
  ])
})

test('erasing deletes only waiting files that mention the customer; a running import continues', async ({
  as,
  world,
  server,
  upload,
}) => {
  const uploaded = await Promise.all(
    ['100%_sure@word.test', '100%_sure@word.test', '1000 sure@word.test'].map((email) => upload(`email\n${email}`)),
  )
  const { db } = server.context
  await db.updateTable('customer_imports').set({ status: 'running' }).where('id', '=', uploaded[1]!.data.id).execute()
  await server.context.change((tx) => deleteImportsWith(tx, world.acme.id, ['100%_SURE@word.test']))
  const statuses = uploaded.map(({ data }) => statusOf(as.ben(customerImports.get, { params: { id: data.id } })))
  expect(await Promise.all(statuses)).toEqual([404, 200, 200])
})
