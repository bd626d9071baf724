import { randomUUID } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { WidgetSettings } from '#contract/widgets.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startConversation, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const ask = (query: Record<string, string>, token?: string) =>
  server.request('GET', `/api/widget_settings?${new URLSearchParams(query)}`, { token })

test('strangers read how the widget of an account looks, with the account’s public side', async () => {
  const { body } = await ask({ account_id: world.acme.id })
  expect(body.data).toMatchObject({
    inbox_id: world.website.id,
    icon_variant: 'outlined',
    account: { company_name: 'Acme', subscription_plan: 'team', is_outside_working_hours: false },
  })
  expect(JSON.stringify(body)).not.toContain('settings":{')
})

test('without an inbox id, or with one that is no id, the primary inbox is meant', async () => {
  for (const inbox_id of ['', 'undefined', 'null']) {
    expect((await ask({ account_id: world.acme.id, inbox_id })).body.data.inbox_id).toBe(world.website.id)
  }
  expect((await ask({ account_id: world.acme.id, inbox_id: world.billing.id })).body.data.inbox_id).toBe(
    world.billing.id,
  )
})

test('with a token the account is that of the token', async () => {
  expect((await ask({ inbox_id: world.billing.id }, world.ada.token)).body.data.inbox_id).toBe(world.billing.id)
  expect((await ask({ inbox_id: world.billing.id }, world.olga.token)).status).toBe(404)
})

test('a missing account id, and one that is nobody’s, are told apart', async () => {
  expect((await ask({ a: 'b' })).body).toMatchObject({
    error: { status: 422, message: 'The account_id is a required parameter', received: ['a'] },
  })
  const sighting = await server.request('PUT', '/api/widget_settings/metadata', { body: { metadata: {} } })
  expect(sighting.body).toMatchObject({
    error: {
      status: 422,
      message: 'The following parameters are required: account_id, metadata',
      received: ['metadata'],
    },
  })
  for (const account_id of [randomUUID(), 'nonsense']) {
    const { status, body } = await ask({ account_id })
    expect(status).toBe(404)
    expect(body.error).toMatchObject({
      message: `No account found with ID: ${account_id}. Are you pointing at the correct host?`,
      host: new URL(server.context.config.baseUrl).host,
    })
  }
})

describe('the script', () => {
  const load = (query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    server.request('GET', `/widget.js?${new URLSearchParams(query)}`, { headers: { accept: '*/*', ...headers } })
  /** What it would hang on its own element. */
  function readBrought(script: string) {
    const element: { brought?: WidgetSettings } = {}
    const [ahead] = script.split('\n', 1)
    new Function('document', ahead!)({ currentScript: element })
    return element.brought
  }
  const save = (inbox_id: string, changes: object) =>
    server.request('PUT', '/api/widget_settings', {
      token: world.ada.token,
      body: { widget_settings: { inbox_id, ...changes } },
    })

  test('brings along, to a page that names its account, what was set and nothing else', async () => {
    await save(world.billing.id, { title: 'Bills & more', subtitle: '', is_hide_voice: true })
    const plain = (await load()).body
    const { body, headers } = await load({ token: world.acme.id, inbox: world.billing.id })
    expect(body.endsWith(plain)).toBe(true)
    expect(readBrought(body)).toEqual({
      title: 'Bills & more',
      subtitle: '',
      is_hide_voice: true,
      icon_variant: 'outlined',
      account: { company_name: 'Acme', subscription_plan: 'team', is_outside_working_hours: false },
    })
    expect(headers).toMatchObject({
      'content-type': (await load()).headers['content-type'],
      'cache-control': 'public, max-age=60, must-revalidate',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    })
  })

  test('tells at once what the team changes, and is not sent again as long as it is the same', async () => {
    const one = await load({ token: world.acme.id })
    const etag = String(one.headers.etag)
    const inCapitals = { token: world.acme.id.toUpperCase() }
    expect((await load(inCapitals, { 'if-none-match': etag })).status).toBe(304)
    expect((await load({ token: world.acme.id }, { 'if-none-match': etag })).status).toBe(304)
    await save(world.website.id, { title: 'Changed' })
    const other = await load({ token: world.acme.id }, { 'if-none-match': etag })
    expect(other.status).toBe(200)
    expect(readBrought(other.body)?.title).toBe('Changed')
    expect(readBrought((await load(inCapitals)).body)?.title).toBe('Changed')
    await save(world.website.id, { title: null })
  })

  test('travels compressed in the way a browser asks for', async () => {
    const plain = (await load({ token: world.acme.id })).body
    for (const [accepted, encoding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip;q=1.0, br;q=0', 'gzip', gunzipSync],
    ] as const) {
      const headers = { accept: '*/*', 'accept-encoding': accepted }
      const url = `/widget.js?token=${world.acme.id}`
      const answer = await server.app.inject({ method: 'GET', url, headers })
      expect(answer.headers['content-encoding']).toBe(encoding)
      expect(unpack(answer.rawPayload).toString()).toBe(plain)
    }
  })

  test('comes as it is, with whatever may be wrong with its address', async () => {
    const plain = (await load()).body
    const queries: Record<string, string>[] = [
      { token: randomUUID() },
      { token: '</script>' },
      { 'token[]': world.acme.id },
      { token: world.acme.id, inbox: randomUUID() },
    ]
    for (const query of queries) {
      const { status, body } = await load(query)
      expect(status).toBe(200)
      expect(body === plain, JSON.stringify(query)).toBe(true)
    }
    expect(readBrought((await load({ token: world.acme.id, inbox: 'undefined' })).body)).toBeDefined()
  })

  test('is not broken out of by any text', async () => {
    const greeting = '</script><!--\u2028\u2029`$(1)\\'
    await save(world.website.id, { greeting })
    const { body } = await load({ token: world.acme.id })
    expect(body.split('\n', 1)[0]).not.toMatch(/<|\u2028|\u2029/)
    expect(readBrought(body)?.greeting).toBe(greeting)
    await save(world.website.id, { greeting: null })
  })

  test('looks nothing up for who has asked too much, and comes all the same', async () => {
    const limited = await startTestServer({ RATE_LIMITS: 'on' }, undefined, server.database)
    const ask = async (path: string) => await limited.request('GET', path, { headers: { accept: '*/*' } })
    const script = `/widget.js?token=${world.acme.id}`
    expect(readBrought((await ask(script)).body)).toBeDefined()
    vi.spyOn(limited.context.limits, 'take').mockResolvedValue({ allowed: false, retryAfterSeconds: 3 })
    expect((await ask(`/api/widget_settings?account_id=${world.acme.id}`)).status).toBe(429)
    expect((await ask(`${script}&inbox=${world.billing.id}`)).body).toBe((await ask('/widget.js')).body)
    expect(readBrought((await ask(script)).body), 'what is kept costs nothing').toBeDefined()
    await limited.close()
  })
})

test('a sighting keeps host, path and time, and nothing else', async () => {
  const metadata = { host: 'shop.test', pathname: '/lamps', last_seen_at: '2026-01-02T03:04:05Z', title: 'hacked' }
  const { status } = await server.request('PUT', '/api/widget_settings/metadata', {
    body: { account_id: world.acme.id, metadata },
  })
  expect(status).toBe(200)
  const { rows } =
    await sql`select host, pathname, title from widget_settings where inbox_id = ${world.website.id}`.execute(
      server.context.db,
    )
  expect(rows).toEqual([{ host: 'shop.test', pathname: '/lamps', title: null }])
})

test('a page that was noted within the hour is not written again, another page or a later hour is', async () => {
  const see = (metadata: object) =>
    server.request('PUT', '/api/widget_settings/metadata', {
      body: { account_id: world.acme.id, inbox_id: world.billing.id, metadata },
    })
  /** Where and when, and which transaction wrote it. */
  const read = async () =>
    (
      await sql<{ pathname: string; last_seen_at: string; xmin: string }>`
        select pathname, last_seen_at, xmin::text from widget_settings where inbox_id = ${world.billing.id}`.execute(
        server.context.db,
      )
    ).rows[0]!
  const page = { host: 'shop.test', pathname: '/bills' }
  await see({ ...page, last_seen_at: '2999-01-01T00:00:00Z' })
  const first = await read()
  expect(Date.parse(first.last_seen_at), 'a clock that runs ahead').toBeLessThanOrEqual(Date.now())
  await see(page)
  expect(await read()).toEqual(first)
  await see({ ...page, pathname: '/bills/7' })
  expect((await read()).pathname).toBe('/bills/7')
  const earlier = '2026-01-02T03:04:05.000Z'
  await sql`update widget_settings set last_seen_at = ${earlier} where inbox_id = ${world.billing.id}`.execute(
    server.context.db,
  )
  await see({ ...page, pathname: '/bills/7' })
  expect((await read()).last_seen_at).not.toBe(earlier)
})

test('an account is closed outside its working hours on its own clock', async () => {
  const hours = [{ day: 'everyday', start_minute: 0, end_minute: 1439 }]
  const set = (time_zone: string | null, working_hours: object[]) =>
    sql`update accounts set time_zone = ${time_zone}, working_hours = ${JSON.stringify(working_hours)}::jsonb where id = ${world.acme.id}`.execute(
      server.context.db,
    )
  const isOutside = async () => (await ask({ account_id: world.acme.id })).body.data.account.is_outside_working_hours
  await set('Asia/Ho_Chi_Minh', hours)
  expect(await isOutside()).toBe(false)
  await set('Asia/Ho_Chi_Minh', [])
  expect(await isOutside(), 'no hours at all').toBe(true)
  await set('Nowhere/Land', [])
  expect(await isOutside(), 'an unknown zone is never closed').toBe(false)
  await set(null, [])
  expect(await isOutside(), 'no zone is never closed').toBe(false)
})

test('only admins add inboxes, and a name is needed', async () => {
  const add = (token: string, inbox: object) => server.request('POST', '/api/inboxes', { token, body: { inbox } })
  expect((await add(world.ben.token, { name: 'Mine' })).status).toBe(401)
  expect((await add(world.ada.token, { name: ' ' })).body.error.errors).toEqual({ name: ["can't be blank"] })
  const { body } = await add(world.ada.token, { name: 'Press', description: 'For journalists' })
  expect(body.data).toMatchObject({ name: 'Press', is_primary: false })
  expect((await ask({ account_id: world.acme.id, inbox_id: body.data.id })).status).toBe(200)
})

test('an inbox is renamed by an admin, and deleted at once while it is empty and not the primary one', async () => {
  const ask = (method: string, id: string, token = world.ada.token, inbox?: object) =>
    server.request(method, `/api/inboxes/${id}`, { token, body: inbox && { inbox } })
  const { body } = await server.request('POST', '/api/inboxes', {
    token: world.ada.token,
    body: { inbox: { name: 'Old' } },
  })
  const { id } = body.data
  expect((await ask('PUT', id, world.ada.token, { name: 'New' })).body.data).toMatchObject({
    name: 'New',
    description: null,
  })
  expect((await ask('PUT', id, world.ben.token, { name: 'Mine' })).status).toBe(401)
  expect((await ask('DELETE', world.website.id)).body.error.message).toMatch(/^The primary inbox cannot be deleted/)
  await startConversation(server, world.carla, 'Hi', id)
  expect((await ask('DELETE', id)).body.error.message).toMatch(/holds conversations/)
  const { body: empty } = await server.request('POST', '/api/inboxes', {
    token: world.ada.token,
    body: { inbox: { name: 'Empty' } },
  })
  expect((await ask('DELETE', empty.data.id)).status).toBe(204)
  expect((await ask('GET', empty.data.id)).status).toBe(404)
})
