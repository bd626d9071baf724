import { randomUUID } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, vi } from 'vitest'
import { conversations } from '#contract/conversations/conversations.ts'
import type { BodyInput, QueryInput } from '#contract/endpoint.ts'
import { inboxes } from '#contract/widget/inboxes.ts'
import { type WidgetSettings, widgets } from '#contract/widget/widgets.ts'
import { test as base, type Caller, expect, refusalOf } from '#tests/support/fixture.ts'
import { startTestServer } from '#tests/support/server.ts'
import { startConversation } from '#tests/support/world.ts'

const test = base
  .extend('readSettings', ({ as }) => async (query: QueryInput<typeof widgets.settings>, who = as.anybody) => {
    return (await who(widgets.settings, { query })).data
  })
  .extend('load', ({ server }) => (query: Record<string, string> = {}, headers: Record<string, string> = {}) => {
    return server.request('GET', `/widget.js?${new URLSearchParams(query)}`, { headers: { accept: '*/*', ...headers } })
  })
  .extend('save', ({ as }) => (inbox_id: string, changes: BodyInput<typeof widgets.update>['widget_settings']) => {
    return as.ada(widgets.update, { body: { widget_settings: { inbox_id, ...changes } } })
  })

/** The settings that the script attaches to its element. */
function readBrought(script: string) {
  const element: { brought?: WidgetSettings } = {}
  const [ahead] = script.split('\n', 1)
  new Function('document', ahead!)({ currentScript: element })
  return element.brought
}

test('anybody can read the widget settings of an account, with its public data', async ({ world, readSettings }) => {
  const data = await readSettings({ account_id: world.acme.id })
  expect(data).toMatchObject({
    inbox_id: world.website.id,
    icon_variant: 'outlined',
    account: { company_name: 'Acme', subscription_plan: 'team', is_outside_working_hours: false },
  })
  expect(JSON.stringify(data)).not.toContain('settings":{')
})

test('without a valid inbox id the primary inbox is used', async ({ world, readSettings }) => {
  for (const inbox_id of ['', 'undefined', 'null']) {
    expect((await readSettings({ account_id: world.acme.id, inbox_id })).inbox_id).toBe(world.website.id)
  }
  expect((await readSettings({ account_id: world.acme.id, inbox_id: world.billing.id })).inbox_id).toBe(
    world.billing.id,
  )
})

test('with a token the account is that of the token', async ({ as, world, readSettings }) => {
  expect((await readSettings({ inbox_id: world.billing.id }, as.ada)).inbox_id).toBe(world.billing.id)
  await expect(readSettings({ inbox_id: world.billing.id }, as.olga)).rejects.toMatchObject({ status: 404 })
})

test('a missing and an unknown account id have different errors', async ({ as, server, readSettings }) => {
  expect((await refusalOf(readSettings({ a: 'b' } as never))).body).toMatchObject({
    error: { status: 422, message: 'The account_id is a required parameter', received: ['a'] },
  })
  const sighting = await refusalOf(as.anybody(widgets.seen, { body: { metadata: {} } as never }))
  expect(sighting.body).toMatchObject({
    error: {
      status: 422,
      message: 'The following parameters are required: account_id, metadata',
      received: ['metadata'],
    },
  })
  for (const account_id of [randomUUID(), 'nonsense']) {
    const { status, body } = await refusalOf(readSettings({ account_id }))
    expect(status).toBe(404)
    expect(body.error).toMatchObject({
      message: `No account found with ID: ${account_id}. Are you pointing at the correct host?`,
      host: new URL(server.context.config.baseUrl).host,
    })
  }
})

describe('the script', () => {
  test('includes the settings, and nothing else, if the page names its account', async ({ world, save, load }) => {
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

  test('reflects changes at once, and is not sent again while unchanged', async ({ world, load, save }) => {
    const answer = await load({ token: world.acme.id })
    const etag = String(answer.headers.etag)
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

  test('is compressed as the browser accepts', async ({ world, server, load }) => {
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

  test('is served without settings if its URL is invalid', async ({ world, load }) => {
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

  test('escapes all texts', async ({ world, save, load }) => {
    const greeting = '</script><!--\u2028\u2029`$(1)\\'
    await save(world.website.id, { greeting })
    const { body } = await load({ token: world.acme.id })
    expect(body.split('\n', 1)[0]).not.toMatch(/<|\u2028|\u2029/)
    expect(readBrought(body)?.greeting).toBe(greeting)
    await save(world.website.id, { greeting: null })
  })

  test('is served without a database query to rate-limited clients', async ({ world, server }) => {
    const limited = await startTestServer({ RATE_LIMITS: 'on' }, undefined, server.database)
    const read = (path: string) => limited.request('GET', path, { headers: { accept: '*/*' } })
    const script = `/widget.js?token=${world.acme.id}`
    expect(readBrought((await read(script)).body)).toBeDefined()
    vi.spyOn(limited.context.limits, 'take').mockResolvedValue({ allowed: false, retryAfterSeconds: 3 })
    expect((await read(`/api/widget_settings?account_id=${world.acme.id}`)).status).toBe(429)
    expect((await read(`${script}&inbox=${world.billing.id}`)).body).toBe((await read('/widget.js')).body)
    expect(readBrought((await read(script)).body), 'what is kept costs nothing').toBeDefined()
    await limited.close()
  })
})

test('a recorded page has host, path and time, and nothing else', async ({ as, world, server }) => {
  const metadata = { host: 'shop.test', pathname: '/lamps', last_seen_at: '2026-01-02T03:04:05Z', title: 'hacked' }
  await as.anybody(widgets.seen, { body: { account_id: world.acme.id, metadata } })
  const { rows } =
    await sql`select host, pathname, title from widget_settings where inbox_id = ${world.website.id}`.execute(
      server.context.db,
    )
  expect(rows).toEqual([{ host: 'shop.test', pathname: '/lamps', title: null }])
})

test('the same page is recorded once an hour, another page at once', async ({ as, world, server }) => {
  const see = (metadata: object) =>
    as.anybody(widgets.seen, { body: { account_id: world.acme.id, inbox_id: world.billing.id, metadata } })
  /** Page and time, and the transaction that wrote them. */
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

test('an account is closed outside its working hours in its own time zone', async ({ world, server, readSettings }) => {
  const hours = [{ day: 'everyday', start_minute: 0, end_minute: 1439 }]
  const set = (time_zone: string | null, working_hours: object[]) =>
    sql`update accounts set time_zone = ${time_zone}, working_hours = ${JSON.stringify(working_hours)}::jsonb where id = ${world.acme.id}`.execute(
      server.context.db,
    )
  const isOutside = async () => (await readSettings({ account_id: world.acme.id })).account.is_outside_working_hours
  await set('Asia/Ho_Chi_Minh', hours)
  expect(await isOutside()).toBe(false)
  await set('Asia/Ho_Chi_Minh', [])
  expect(await isOutside(), 'no hours at all').toBe(true)
  await set('Nowhere/Land', [])
  expect(await isOutside(), 'an unknown zone is never closed').toBe(false)
  await set(null, [])
  expect(await isOutside(), 'no zone is never closed').toBe(false)
})

test('only admins create inboxes, and a name is required', async ({ as, world, readSettings }) => {
  const add = (who: Caller, inbox: BodyInput<typeof inboxes.create>['inbox']) =>
    who(inboxes.create, { body: { inbox } })
  await expect(add(as.ben, { name: 'Mine' })).rejects.toMatchObject({ status: 401 })
  await expect(add(as.ada, { name: ' ' })).rejects.toHaveProperty('errors', { name: ["can't be blank"] })
  const { data } = await add(as.ada, { name: 'Press', description: 'For journalists' })
  expect(data).toMatchObject({ name: 'Press', is_primary: false })
  expect((await readSettings({ account_id: world.acme.id, inbox_id: data.id })).inbox_id).toBe(data.id)
})

test('an inbox is renamed by an admin, and deleted at once while it is empty and not the primary one', async ({
  as,
  world,
  server,
}) => {
  const { id } = (await as.ada(inboxes.create, { body: { inbox: { name: 'Old' } } })).data
  const rename = (who: Caller, name: string) => who(inboxes.update, { params: { id }, body: { inbox: { name } } })
  const remove = (of: string) => as.ada(conversations.removeInbox, { params: { id: of } })
  expect((await rename(as.ada, 'New')).data).toMatchObject({ name: 'New', description: null })
  await expect(rename(as.ben, 'Mine')).rejects.toMatchObject({ status: 401 })
  await expect(remove(world.website.id)).rejects.toThrow(/^The primary inbox cannot be deleted/)
  await startConversation(server, world.carla, 'Hi', id)
  await expect(remove(id)).rejects.toThrow(/has conversations/)
  const empty = (await as.ada(inboxes.create, { body: { inbox: { name: 'Empty' } } })).data
  await remove(empty.id)
  await expect(as.ada(inboxes.get, { params: { id: empty.id } })).rejects.toMatchObject({ status: 404 })
})
