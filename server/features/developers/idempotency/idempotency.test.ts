import { sql } from 'kysely'
import { companies } from '#contract/customers/companies.ts'
import { tags } from '#contract/customers/tags.ts'
import { expect, test } from '#tests/support/fixture.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createApiKey } from '#tests/support/world.ts'
import { pruneRequests } from './idempotency.ts'

const post = (server: TestServer, token: string, key: string, body: object, path = '/api/v1/tags') =>
  server.request('POST', path, { token, body, headers: { 'idempotency-key': key } })

test('a repeated request with the same key changes nothing and gets the same response', async ({
  as,
  server,
  world,
}) => {
  const token = await createApiKey(server, world.ada.token)
  const first = await post(server, token, 'one', { tag: { name: 'once' } })
  const again = await post(server, token, 'one', { tag: { name: 'once' } })
  expect(first.status).toBe(201)
  expect([again.status, again.headers.location, again.body]).toEqual([201, first.headers.location, first.body])
  expect((await as.ada(tags.list)).data.filter(({ name }) => name === 'once')).toHaveLength(1)
})

test('the same key for something else is refused', async ({ as, server, world }) => {
  const { token } = world.ada
  await post(server, token, 'two', { tag: { name: 'apple' } })
  for (const again of [
    await post(server, token, 'two', { tag: { name: 'pear' } }),
    await post(server, token, 'two', { tag: { name: 'apple' } }, '/api/v1/tags?x=1'),
    await post(server, token, 'two', { company: { name: 'Apple' } }, '/api/v1/companies'),
  ]) {
    expect([again.status, again.body.error.message]).toEqual([422, expect.stringContaining('Choose a new key')])
  }
  expect((await as.ada(companies.list)).data.map(({ name }) => name)).not.toContain('Apple')
})

test('of concurrent requests with the same key one is carried out, and keys of others do not conflict', async ({
  as,
  server,
  world,
}) => {
  const create = (token: string) => post(server, token, 'three', { company: { name: 'Quince' } }, '/api/v1/companies')
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(world.ada.token)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]))
  expect(new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.data.id)).size).toBe(1)
  expect((await as.ada(companies.list)).data.filter(({ name }) => name === 'Quince')).toHaveLength(1)
  for (const { token } of [world.ben, world.olga]) expect((await create(token)).status).toBe(201)
})

test('a refused request changed nothing, and may be repeated', async ({ server, world }) => {
  const refused = await post(server, world.ada.token, 'four', { tag: { name: ' ' } })
  expect(refused.status).toBe(422)
  expect((await post(server, world.ada.token, 'four', { tag: { name: 'plum' } })).status).toBe(201)
  expect((await post(server, world.ada.token, '', { tag: { name: 'plum' } })).status).toBe(422)
})

test('a request that may have been carried out is not repeated, even if its response was lost', async ({
  as,
  server,
  world,
}) => {
  const { db } = server.context
  await sql`alter table idempotent_requests add constraint nothing_kept check (status is null) not valid`.execute(db)
  const create = () => post(server, world.ada.token, 'lost', { tag: { name: 'fig' } })
  expect((await create()).status).toBe(500)
  await sql`alter table idempotent_requests drop constraint nothing_kept`.execute(db)
  expect((await create()).body.error).toMatchObject({ status: 409, reason: 'request_at_work' })
  expect((await as.ada(tags.list)).data.filter(({ name }) => name === 'fig')).toHaveLength(1)
})

test('stored responses are encrypted, deleted after a day, and when a customer is erased', async ({
  server,
  world,
}) => {
  const customer = { name: 'Quagga', email: 'quagga@customer.test' }
  const create = () => post(server, world.ada.token, 'five', { customer }, '/api/v1/customers')
  const { body } = await create()
  const stored = () => server.context.db.selectFrom('idempotent_requests').selectAll().execute()
  expect(JSON.stringify((await stored()).map(({ answer }) => String(answer)))).not.toContain('Quagga')
  expect((await create()).body).toEqual(body)
  await server.request('POST', `/api/customers/${body.data.id}/erase`, {
    token: world.ada.token,
  })
  const own = (await stored()).filter(({ account_id }) => account_id === world.acme.id)
  expect(own.filter(({ answer }) => answer !== null)).toEqual([])
  expect((await create()).body.error).toMatchObject({ status: 409, reason: 'answer_forgotten' })
  const old = new Date(Date.now() - 86_500_000).toISOString()
  await server.context.db.updateTable('idempotent_requests').set({ created_at: old }).execute()
  await pruneRequests(server.context.db)
  expect(await stored()).toEqual([])
})

test('a list is returned whole or in pages, also while it changes', async ({ as, server, world }) => {
  const made = []
  for (let i = 0; i < 7; i++) made.push((await as.ada(tags.create, { body: { tag: { name: `page ${i}` } } })).data.id)
  const { token } = world.ada
  const whole = (await server.request('GET', '/api/v1/tags', { token })).body
  expect(whole.next).toBeUndefined()
  const ids: string[] = []
  let next: string | null = ''
  while (next !== null) {
    const { body }: { body: typeof whole } = await server.request(
      'GET',
      `/api/v1/tags?limit=3${next ? `&after=${next}` : ''}`,
      { token },
    )
    expect(body.data.length).toBeLessThanOrEqual(3)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    if (ids.length === 3) await as.ada(tags.remove, { params: { id: ids[2]! } })
    next = body.next
  }
  expect(ids).toEqual(whole.data.map(({ id }: { id: string }) => id))
  for (const query of ['limit=0', 'limit=501', 'limit=x'])
    expect((await server.request('GET', `/api/v1/tags?${query}`, { token })).body.error.errors.limit).toHaveLength(1)
  expect((await server.request('GET', '/api/v1/tags?after=nonsense', { token })).status).toBe(400)
})

test('an update with If-Match is refused if the resource has changed meanwhile', async ({ as, server, world }) => {
  const { data: company } = await as.ada(companies.create, { body: { company: { name: 'Lumen' } } })
  const path = `/api/v1/companies/${company.id}`
  const { token } = world.ada
  const etag = String((await server.request('GET', path, { token })).headers.etag)
  const update = (name: string, match: string) =>
    server.request('PUT', path, { token, body: { company: { name } }, headers: { 'if-match': match } })
  const answers = await Promise.all(['Oak', 'Elm', 'Ash'].map((name) => update(name, etag)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
  expect(answers.find(({ status }) => status === 412)?.body.error.message).toContain('Fetch it again')
  const now = String((await server.request('GET', path, { token })).headers.etag)
  expect(now).not.toBe(etag)
  expect((await update('Yew', now)).body.data.name).toBe('Yew')
  expect((await update('Fir', '*')).status).toBe(200)
})

test('of concurrent updates of the same version on two servers, one is carried out', async ({ as, server, world }) => {
  const second = await startTestServer({}, undefined, server.database)
  try {
    const { token } = world.ada
    const { data: company } = await as.ada(companies.create, { body: { company: { name: 'Round 0' } } })
    const path = `/api/v1/companies/${company.id}`
    for (let round = 1; round <= 10; round++) {
      const match = String((await server.request('GET', path, { token })).headers.etag)
      const answers = await Promise.all(
        [server, second].map((instance, at) =>
          instance.request('PUT', path, {
            token,
            body: { company: { name: `Round ${round}, ${at}` } },
            headers: { 'if-match': match },
          }),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    }
  } finally {
    await second.close()
  }
})
