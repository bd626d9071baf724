import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { isOpenToApiKeys, publicPath } from '#contract/endpoint.ts'
import { endpoints, features as groups } from '#contract/index.ts'
import { TOPICS } from '#contract/topics.ts'
import { features, integrations } from '#server/app.ts'
import { Routes } from '#server/platform/http/routes.ts'
import { expect, test } from './support/fixture.ts'

const all = [...features, ...integrations]

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

test('every declared call is routed exactly once, and every route is declared', ({ server }) => {
  const routes = new Routes()
  for (const feature of all) for (const open of feature.routes ?? []) open(routes, server.context)
  const routed = routes.entries.map(({ endpoint }) => nameOf(endpoint)).sort()
  expect(routed).toEqual(endpoints.map(nameOf).sort())
  expect(new Set(routed).size).toBe(routed.length)
})

test.for(all.map((feature) => [feature.name, feature] as const))(
  'the feature %s answers the calls that its manifest names, and no others',
  ([_name, { calls = [], routes: open = [] }], { server }) => {
    const routes = new Routes()
    for (const add of open) add(routes, server.context)
    const routed = routes.entries.map(({ endpoint }) => nameOf(endpoint))
    const declared = calls.flatMap((group) => Object.values(group)).map(nameOf)
    expect(routed.sort()).toEqual(declared.sort())
  },
)

/** Calls whose route is in another feature than their name says, and why. */
const ELSEWHERE: Record<string, string> = {
  messages: 'conversations: posting a message changes its conversation',
  tags: 'conversations: a tag is put on conversations and on customers',
}

test('calls are answered by the feature of the same name, where there is one', () => {
  const named = new Map(all.map((feature) => [feature.name, feature]))
  const folders = globSync('server/features/*/*', { cwd: resolve(import.meta.dirname, '..') }).map((path) =>
    basename(path),
  )
  const strays = Object.entries(groups).filter(([group, calls]) => {
    const name = group.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return folders.includes(name) && !named.get(name)?.calls?.includes(calls)
  })
  expect(strays.map(([group]) => group)).toEqual(Object.keys(ELSEWHERE))
})

test('every declared topic is opened exactly once, and every channel is declared', ({ server }) => {
  const patterns = all.flatMap(({ channels }) => channels?.(server.context) ?? []).map(({ pattern }) => pattern)
  expect(patterns.sort()).toEqual(Object.keys(TOPICS).sort())
})

test('the OpenAPI document holds every call, with its parameters, body, answer, refusals and who may call', async ({
  server,
}) => {
  const { body } = await server.request('GET', '/api/openapi.json')
  expect(body.openapi).toBe('3.1.0')
  for (const endpoint of endpoints) {
    const call = body.paths[publicPath(endpoint).replace(/:(\w+)/g, '{$1}')][endpoint.method.toLowerCase()]
    expect(call.summary, nameOf(endpoint)).toBe(endpoint.summary)
    expect(!!call.requestBody, nameOf(endpoint)).toBe(!!endpoint.body)
    expect(Object.keys(call.responses), nameOf(endpoint)).toEqual(
      expect.arrayContaining([
        ...[String(endpoint.status ?? 200), '400', '401', '422', '429', '431', '500', '503'],
        ...(endpoint.method === 'GET' ? [] : ['403', '409', '413', '415']),
      ]),
    )
    const schemes = call.security.flatMap((requirement: object) => Object.keys(requirement))
    expect(schemes.includes('apiKey'), nameOf(endpoint)).toBe(isOpenToApiKeys(endpoint))
    expect(
      call.security.some((requirement: object) => Object.keys(requirement).length === 0),
      nameOf(endpoint),
    ).toBe(endpoint.who === 'anyone' || endpoint.who === 'signed')
  }
  const { post: upload } = body.paths['/api/v1/upload']
  expect(Object.keys(upload.requestBody.content)).toEqual(['multipart/form-data'])
  const { get: table } = body.paths['/api/v1/customers/export.csv']
  expect(Object.keys(table.responses[200].content)).toEqual(['text/csv'])
  const { get: list } = body.paths['/api/v1/canned_responses']
  const { schema, example } = list.responses[200].content['application/json']
  expect(schema.properties.data.items).toEqual({ $ref: '#/components/schemas/SavedReply' })
  expect(example.data[0]).toMatchObject({ object: 'canned_response', name: 'Carla Reyes' })
})

test('every path of the description is answered there', async ({ server }) => {
  const id = '00000000-0000-4000-8000-000000000000'
  const missing = []
  for (const endpoint of endpoints.filter(isOpenToApiKeys)) {
    const { status, body } = await server.request(endpoint.method, publicPath(endpoint).replace(/:\w+/g, id), {})
    if (status === 404 && body.error.message === 'Not found' && endpoint.who !== 'anyone')
      missing.push(nameOf(endpoint))
  }
  expect(missing).toEqual([])
})

test('a linter finds no error in the description, and every example has the shape it is an example of', async ({
  server,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-openapi-'))
  const file = join(folder, 'openapi.json')
  const { body } = await server.request('GET', '/api/openapi.json')
  // The test server's address is one that nobody should call.
  await writeFile(file, JSON.stringify({ ...body, servers: [{ url: 'https://support.acme.test' }] }))
  const linter = resolve(import.meta.dirname, '../node_modules/@redocly/cli/bin/cli.js')
  const { stdout } = await promisify(execFile)(process.execPath, [linter, 'lint', file, '--format=json'], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    maxBuffer: 1e8,
  })
  await rm(folder, { recursive: true })
  const { totals, problems } = JSON.parse(stdout)
  // Two browser calls answer with a redirect only.
  const isMeant = ({ ruleId }: { ruleId: string }) => ruleId === 'operation-2xx-response'
  const others = problems.filter((problem: { ruleId: string }) => !isMeant(problem))
  expect(others.map(({ ruleId, message }: Record<string, string>) => `${ruleId}: ${message}`)).toEqual([])
  expect(problems.length - others.length).toBe(2)
  expect(totals.errors).toBe(0)
})

test('the page to read loads nothing from elsewhere and runs no script of its own making', async ({ server }) => {
  const { body, headers } = await server.request('GET', '/api/docs')
  expect(headers['content-type']).toContain('text/html')
  expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src")
  expect(headers['content-security-policy']).toContain("connect-src 'self'")
  expect(
    String(body)
      .match(/(src|href)="[^"]+"/g)
      ?.every((link) => /"(\/api\/|data:)/.test(link)),
  ).toBe(true)
  expect((await server.request('GET', '/api/docs/start.js')).headers['content-type']).toContain('javascript')
  const old = await fetch(`${server.url}/api/swagger`)
  expect([old.status, new URL(old.url).pathname]).toEqual([200, '/api/docs'])
})

test('the old prefix /api/k leads to the same calls', async ({ server }) => {
  expect((await server.request('GET', '/api/k/ping?a=1')).body).toEqual({
    data: { message: 'Pong!', params: { a: '1' } },
  })
})

test('the old public API leads to the same calls, and so do paths with duplicate slashes', async ({ server }) => {
  for (const path of ['/api/v1/me', '/api/v1/profile/42', '/api/v1/user_settings/42', '//api/me', '/api//me']) {
    expect((await server.request('GET', path)).body.error?.message, path).toBe('Not authenticated')
  }
  const preflight = await server.request('OPTIONS', '//api/customers', { headers: { origin: 'https://shop.test' } })
  expect(preflight.headers['access-control-allow-origin']).toBe('https://shop.test')
})

test('fields such as __proto__ are dropped, however they are spelled', async ({ server }) => {
  for (const name of ['__proto__', '\\u005f_proto__']) {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/ping',
      headers: { 'content-type': 'application/json' },
      payload: `{"a": 1, "${name}": {"admin": true}}`,
    })
    expect(answer.json().data.params).toEqual({ a: 1 })
  }
})

test('bodies may be JSON or a form with bracketed names, and multipart where a file is expected', async ({
  server,
}) => {
  const json = await server.request('POST', '/api/session', { body: { user: { email: 'a@b.c', password: 'x' } } })
  const form = await server.request('POST', '/api/session', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'user[email]=a%40b.c&user[password]=x',
  })
  expect(form.body).toEqual(json.body)
  const multipart = (path: string) =>
    server.request('POST', path, {
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: '--b\r\ncontent-disposition: form-data; name="content"\r\n\r\nemail\na@b.c\r\n--b--\r\n',
    })
  expect((await multipart('/api/session')).status).toBe(415)
  expect((await multipart('/api/customers/import')).status, 'read, and not signed in').toBe(401)
})

test('an incomplete form, or one without a boundary, is refused; plain text is ignored', async ({ server }) => {
  const send = (type: string, body: string) =>
    server.request('POST', '/api/ping', { headers: { 'content-type': type }, body })
  const upload = (type: string, body: string) =>
    server.request('POST', '/api/upload', { headers: { 'content-type': type }, body })
  const half = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n1'
  for (const type of ['multipart/form-data; boundary=b', 'multipart/form-data']) {
    const { status, body } = await upload(type, half)
    expect([status, body.error.message]).toEqual([400, 'The form in the body is incomplete.'])
  }
  expect((await send('text/plain;charset=UTF-8', '{"a":1}')).body.data.params).toEqual({})
})

test('a list may be longer than twenty, in a query and in a form', async ({ server }) => {
  const many = Array.from({ length: 60 }, (_, i) => `ids[]=${i}`).join('&')
  const query = await server.request('GET', `/api/ping?${many}`)
  const form = await server.request('POST', '/api/ping', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: many,
  })
  expect(query.body.data.params.ids).toHaveLength(60)
  expect(form.body.data.params.ids).toHaveLength(60)
})

test('a POST with _method is the method it names', async ({ server }) => {
  const signOut = await server.request('POST', '/api/session', { body: { _method: 'DELETE' } })
  expect(signOut.body).toEqual({ data: {} })
  const inQuery = await server.request('POST', '/api/session?_method=delete')
  expect(inQuery.body).toEqual({ data: {} })
})

test('a path that does not take a method names in a 405 those that it takes', async ({ server, world }) => {
  const { token } = world.ada
  const answer = await server.request('PATCH', '/api/v1/tags', { token, body: {} })
  expect([answer.status, answer.headers.allow]).toEqual([405, 'OPTIONS, GET, HEAD, POST'])
  expect(answer.body.error).toMatchObject({ status: 405, message: expect.stringContaining('Allow') })
  expect((await server.request('GET', '/api/registration')).headers.allow).toBe('OPTIONS, POST')
  // Clients without other methods name them in a POST.
  expect((await server.request('POST', '/api/me', { token, body: {} })).status).toBe(405)
})

test('a body of another type is refused where it would be read, and ignored in beacons', async ({ server, world }) => {
  const send = (path: string, type: string) =>
    server.request('POST', path, {
      token: world.ada.token,
      headers: { 'content-type': type },
      body: '{"tag":{"name":"Typed"}}',
    })
  for (const type of ['text/plain', 'application/xml', 'text/json; charset=utf-8']) {
    const { status, body } = await send('/api/tags', type)
    expect([status, body.error.message], type).toEqual([415, expect.stringContaining('application/json')])
  }
  expect((await send('/api/tags', 'Application/JSON; charset=utf-8')).status).toBe(201)
  const unknown = '/api/browser_sessions/00000000-0000-4000-8000-000000000000/finish'
  expect((await send(unknown, 'text/plain')).status).toBe(404)
})

test('a customer is refused whose fields are lists or objects, instead of losing them', async ({ server, world }) => {
  const customer = { name: {}, email: [1] }
  const answer = await server.request('POST', '/api/v1/customers', { token: world.ada.token, body: { customer } })
  expect([answer.status, answer.body.error.errors]).toEqual([422, { name: ['is invalid'], email: ['is invalid'] }])
})

test('the description declares bounds, formats and headers, and says which parameters are needed', async ({
  server,
}) => {
  const { body } = await server.request('GET', '/api/openapi.json')
  // Sizes in bytes, and numbers of other systems, may be larger than the columns of ours.
  expect(JSON.stringify(body).match(/9007199254740991/g)?.length).toBeLessThan(20)
  const { Conversation } = body.components.schemas
  expect(Conversation.properties.created_at).toMatchObject({ type: 'string', format: 'date-time' })
  expect(Conversation.properties.last_number).toMatchObject({ maximum: 2 ** 31 - 1 })
  const { properties } = body.paths['/api/mailbox/auth'].post.requestBody.content['application/json'].schema
  const [port] = properties.authorization.properties.imap_port.anyOf
  expect(port).toMatchObject({ minimum: 1, maximum: 65_535 })
  const report = body.paths['/api/v1/reporting'].get.parameters
  expect(
    report.filter((parameter: { required?: boolean }) => parameter.required).map(({ name }: { name: string }) => name),
  ).toEqual(['from_date', 'to_date'])
  expect(body.paths['/api/v1/tags/{id}'].get.responses[200].headers).toHaveProperty('ETag')
  expect(body.paths['/api/v1/tags'].post.responses[201].headers).toHaveProperty('location')
  expect(body.paths['/api/v1/inboxes/{id}/identity_secrets'].post.requestBody.required).toBe(false)
  expect(body.components.responses.TooMany.headers).toHaveProperty('retry-after')
})

test('PATCH updates like PUT, HEAD answers like GET', async ({ server }) => {
  const id = '00000000-0000-4000-8000-000000000000'
  expect((await server.request('PATCH', `/api/conversations/${id}`, { body: {} })).status).toBe(401)
  expect((await server.request('HEAD', '/api/ping')).status).toBe(200)
})

test('every origin is allowed, preflights name methods and headers, also where the answer is an error', async ({
  server,
}) => {
  const headers = { origin: 'https://shop.test' }
  const refused = await server.request('GET', '/api/widget_settings?account_id=00000000-0000-4000-8000-000000000000', {
    headers,
  })
  expect(refused.status).toBe(404)
  expect(refused.headers).toMatchObject({
    'access-control-allow-origin': 'https://shop.test',
    'access-control-allow-credentials': 'true',
  })
  const preflight = await server.request('OPTIONS', '/api/customers', {
    headers: { ...headers, 'access-control-request-method': 'PUT' },
  })
  expect(preflight.status).toBe(200)
  expect(preflight.headers['access-control-allow-methods']).toContain('PUT')
  expect(String(preflight.headers['access-control-allow-headers'])).toContain('Authorization')
})

test('a client that does not accept JSON gets an error', async ({ server }) => {
  const answer = async (accept: string) => (await server.request('GET', '/api/ping', { headers: { accept } })).status
  expect(await answer('image/png')).toBe(406)
  expect(await answer('text/html,*/*;q=0.8')).toBe(200)
  expect(await answer('application/json')).toBe(200)
})

test('the password of a proxy in front is no token', async ({ server }) => {
  const headers = { authorization: `Basic ${Buffer.from('staging:secret').toString('base64')}` }
  expect((await server.request('GET', '/api/widget_settings', { headers })).status).toBe(422)
  expect((await server.request('GET', '/api/me', { headers })).body.error.message).toBe('Not authenticated')
})

test('errors have the shapes of the API', async ({ server }) => {
  const missing = await server.request('POST', '/api/session', { body: {} })
  expect(missing).toMatchObject({
    status: 400,
    body: { errors: { detail: 'Bad Request' }, error: { status: 400, code: 400 } },
  })
  const malformed = await server.request('GET', '/api/customers/42/exists')
  expect(malformed).toMatchObject({ status: 400, body: { errors: { detail: 'Bad Request' } } })
  const nobody = await server.request('GET', '/api/me')
  expect(nobody).toMatchObject({
    status: 401,
    body: { error: { status: 401, code: 401, message: 'Not authenticated' } },
  })
  const nowhere = await server.request('GET', '/api/nowhere')
  expect(nowhere).toMatchObject({
    status: 404,
    body: { errors: { detail: 'Not Found' }, error: { message: 'Not found' } },
  })
  const unreadable = await server.request('GET', '/api/customers/%E0%A4%A/exists', {
    headers: { origin: 'https://a.b' },
  })
  expect(unreadable).toMatchObject({
    status: 400,
    body: { errors: { detail: 'Bad Request' }, error: { status: 400, code: 400 } },
    headers: { 'access-control-allow-origin': 'https://a.b' },
  })
  const tooLarge = await server.request('POST', '/api/ping', { body: { text: 'x'.repeat(8_000_001) } })
  expect(tooLarge.status).toBe(413)
})

test('ids are UUIDs of version 4, and those of users are numbers', async ({ server, world }) => {
  expect([world.ada.id, world.ben.id].every(Number.isInteger)).toBe(true)
  const client = new pg.Client(server.database.connection)
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'id' and data_type = 'uuid'`,
  )
  const versions: Record<string, number[]> = {}
  for (const { name } of tables) {
    const { rows } = await client.query(`select distinct uuid_extract_version(id) as version from ${name}`)
    versions[name] = rows.map(({ version }) => version)
  }
  await client.end()
  expect(versions).toMatchObject({ accounts: [4], conversations: [4], customers: [4], messages: [4] })
  expect(Object.entries(versions).filter(([, numbers]) => numbers.some((version) => version !== 4))).toEqual([])
})

test('health and readiness answer JSON', async ({ server }) => {
  expect((await server.request('GET', '/health')).body).toMatchObject({ ok: true, version: expect.any(String) })
  expect((await server.request('GET', '/ready')).body).toEqual({
    ok: true,
    database: { ok: true },
    migrations: { ok: true },
    storage: { ok: true },
    bus: { ok: true },
    files: { ok: true },
    consumers: { ok: true },
  })
})
