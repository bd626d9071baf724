import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { createWorld, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const put = (account: object, token = world.ada.token, path = '/api/accounts/me') =>
  server.request('PUT', path, { token, body: { account } })
const read = async (token = world.ada.token) => (await server.request('GET', '/api/accounts/me', { token })).body.data

const DAYS = [{ day: 'weekdays', start_minute: 540, end_minute: 1020 }]

test('an admin changes name, logo, time zone and working hours of the account', async () => {
  const account = {
    company_name: 'Acme Lamps',
    company_logo_url: 'https://acme.test/logo.png',
    time_zone: 'Asia/Ho_Chi_Minh',
    working_hours: DAYS,
  }
  const { status, body } = await put(account)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ ...account, users: expect.any(Array), widget_settings: expect.any(Array) })
  expect(await read(world.ben.token)).toMatchObject(account)
})

test('working hours and settings are replaced as a whole, and what is left out stays', async () => {
  await put({ working_hours: DAYS, settings: { conversation_reminders_enabled: true } })
  const { body } = await put({ settings: { max_num_conversation_reminders: 2 } })
  expect(body.data.settings).toEqual({ max_num_conversation_reminders: 2 })
  expect(body.data.working_hours).toEqual(DAYS)
  const asText = DAYS.map((one) => ({ ...one, start_minute: `${one.start_minute}`, end_minute: `${one.end_minute}` }))
  expect((await put({ working_hours: asText })).body.data.working_hours).toEqual(DAYS)
  expect((await put({ working_hours: [] })).body.data.working_hours).toEqual([])
})

test('members may not change the account', async () => {
  expect((await put({ company_name: 'Mine' }, world.ben.token)).status).toBe(401)
})

test('whatever id is in the address, it is one’s own account that changes', async () => {
  const { body } = await put({ company_name: 'Other Lamps' }, world.olga.token, `/api/accounts/${world.acme.id}`)
  expect(body.data).toMatchObject({ id: world.other.id, company_name: 'Other Lamps' })
  expect((await read()).company_name).not.toBe('Other Lamps')
  const patched = await server.request('PATCH', '/api/accounts/me', {
    token: world.ada.token,
    body: { account: { company_name: 'Acme' } },
  })
  expect(patched.body.data.company_name).toBe('Acme')
})

test.each([
  ['company_name', { company_name: ' ' }],
  ['company_logo_url', { company_logo_url: 'javascript:alert(1)' }],
  ['time_zone', { time_zone: 'Nowhere/Land' }],
  ['working_hours', { working_hours: [{ day: 'someday', start_minute: 0, end_minute: 60 }] }],
  ['working_hours', { working_hours: [{ day: 'monday', start_minute: 0, end_minute: 1440 }] }],
  ['settings', { settings: { conversation_reminder_hours_interval: 1.5 } }],
])('a wrong %s is refused by its name and changes nothing', async (field, account) => {
  const before = await read()
  const { status, body } = await put(account)
  expect(status).toBe(422)
  expect(JSON.stringify(body.error.errors)).toContain(field)
  const { current_minutes_since_midnight: _now, ...after } = await read()
  expect(before).toMatchObject(after)
})

test('plan and id are not for sending', async () => {
  const { body } = await put({ id: world.other.id, subscription_plan: 'starter', company_name: 'Acme' })
  expect(body.data).toMatchObject({ id: world.acme.id, subscription_plan: 'team' })
})

test('the team is told of it, and the audit trail says once who changed what', async () => {
  const trail = async () =>
    (await server.request('GET', '/api/audit_entries?action=account', { token: world.ada.token })).body.data
  const before = await trail()
  const socket = new TestSocket(server.url, { token: world.ben.token })
  const topic = await socket.join(`notification:${world.acme.id}`)
  await put({ company_name: 'Acme & Sons' })
  await put({ company_name: 'Acme & Sons' })
  const account = await topic.receive('account:updated')
  expect(account).toMatchObject({ id: world.acme.id, company_name: 'Acme & Sons', working_hours: [] })
  socket.close()
  const [newest, ...rest] = await trail()
  const changes = { company_name: { from: 'Acme', to: 'Acme & Sons' } }
  expect(newest).toMatchObject({ action: 'account.updated', details: { fields: ['company_name'], changes } })
  expect(rest).toEqual(before)
})

test('the trail says what each setting was and became, and of long values only that they changed', async () => {
  await put({ settings: { retention_days: 90 }, working_hours: DAYS })
  const company_logo_url = `https://acme.test/${'logo'.repeat(100)}.png`
  await put({ company_logo_url, settings: { conversation_reminders_enabled: true }, working_hours: [] })
  const [newest] = (await server.request('GET', '/api/audit_entries?action=account', { token: world.ada.token })).body
    .data
  expect(newest.details).toEqual({
    fields: ['company_logo_url', 'working_hours', 'retention_days', 'conversation_reminders_enabled'],
    changes: {
      working_hours: { from: DAYS, to: [] },
      retention_days: { from: 90, to: null },
      conversation_reminders_enabled: { from: null, to: true },
    },
  })
  const { body } = await server.request('GET', '/api/audit_entries/export.csv', { token: world.ada.token })
  expect(body).toContain('retention_days: 90 → ; conversation_reminders_enabled:  → true')
})
