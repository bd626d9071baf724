import { afterAll } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { oauth } from '#contract/connections/oauth.ts'
import { google as calls } from '#contract/integrations/google.ts'
import { startGoogle } from '#tests/emulators/google.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { readPayload } from '#tests/support/payload.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const google = await startGoogle()
const test = base.extend('env', { scope: 'file' }, google.settings)
afterAll(() => google.close())

const ROOM = { timeout: 30_000 }
/** A complete response of Google. */
const whole = (fixture: string, values: Record<string, string> = {}) =>
  JSON.parse(readPayload(`google/fixtures/${fixture}.json`, values)) as object

test('Google’s documented responses are understood: grants, revocations, rows and rate limits', async ({
  as,
  server,
  world,
}) => {
  const [first, second] = ['ya29.a0Af-first', 'ya29.a0Af-second']
  for (const token of [first, second]) google.tokens.add(token)
  const { data: begun } = await as.ada(oauth.start, { body: { integration: 'google_sheets' } })
  google.fail('POST /token', { body: whole('token', { access: first, refresh: '1//0e-refresh' }) })
  const { id } = (await as.ada(oauth.finish, { body: { state: begun.state, code: '4/0A-code' } })).data
  await as.ada(calls.saveSettings, { params: { id: id! }, body: { settings: { adds_customers: true } } })
  const spreadsheet = [...google.sheets.keys()].at(-1)!
  const names = () => google.sheets.get(spreadsheet)!.map(([, , name]) => name)
  const visit = async (name: string) => {
    const visitor = await startVisitor(server, world.acme.id, { name, email: `${name.toLowerCase()}@desk.test` })
    await startConversation(server, visitor, 'Hello')
  }
  const listConnections = async () => (await as.ada(integrations.list)).data
  const appends = () => google.requestsTo(`POST /v4/spreadsheets/${spreadsheet}/values`)

  google.failAfter('POST /v4', { status: 200, body: whole('values-append', { spreadsheet }) })
  await visit('Anna')
  await expect.poll(names, ROOM).toEqual(['Anna'])
  await expect.poll(listConnections, ROOM).toMatchObject([{ last_out_at: expect.any(String), problem: null }])

  // An expired token is renewed, and the row written with the new one.
  google.fail('POST /v4', { status: 401, body: whole('unauthenticated') })
  google.fail('POST /token', { body: whole('token-renewed', { access: second }) })
  await visit('Bela')
  await expect.poll(names, ROOM).toEqual(['Anna', 'Bela'])
  expect(appends().map(({ token }) => token)).toEqual([first, first, second])
  expect(google.requestsTo('POST /token').at(-1)!.body).toMatchObject({
    grant_type: 'refresh_token',
    refresh_token: '1//0e-refresh',
  })

  const test = () => as.ada(integrations.test, { params: { id: id! } })
  for (const [status, fixture] of [
    [429, 'quota-exceeded'],
    [403, 'rate-limit'],
  ] as const) {
    google.fail('GET /v4', { status, body: whole(fixture) })
    await expect(test(), fixture).rejects.toMatchObject({
      message: 'Google limits the number of requests. Try again later.',
      reason: 'unreachable',
    })
    expect(await listConnections()).toMatchObject([{ state: 'resting' }])
    await test()
  }

  google.fail('GET /v4', { status: 401, body: whole('unauthenticated') })
  google.fail('POST /token', { status: 400, body: whole('token-refused') })
  const problem =
    'Google no longer accepts this connection. Connect it again. Google refused it: Token has been expired or revoked.'
  await expect(test()).rejects.toMatchObject({ reason: 'broken', message: problem })
  expect(await listConnections()).toMatchObject([{ state: 'broken', problem }])
  await as.ada(integrations.remove, { params: { id: id! } })
})
