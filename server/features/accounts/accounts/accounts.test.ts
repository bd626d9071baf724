import { accounts } from '#contract/accounts/accounts.ts'
import { audit } from '#contract/accounts/audit.ts'
import { test as base, expect, refusalOf } from '#tests/support/fixture.ts'

const DAYS = [{ day: 'weekdays' as const, start_minute: 540, end_minute: 1020 }]

const test = base.extend('read', ({ as }) => async (who = as.ada) => {
  return (await who(accounts.mine)).data
})

test('an admin changes name, logo, time zone and working hours of the account', async ({ as, read }) => {
  const account = {
    company_name: 'Acme Lamps',
    company_logo_url: 'https://acme.test/logo.png',
    time_zone: 'Asia/Ho_Chi_Minh',
    working_hours: DAYS,
  }
  const { data } = await as.ada(accounts.update, { body: { account } })
  expect(data).toMatchObject({ ...account, users: expect.any(Array), widget_settings: expect.any(Array) })
  expect(await read(as.ben)).toMatchObject(account)
})

test('working hours and settings are replaced as a whole, and omitted fields are kept', async ({ as }) => {
  await as.ada(accounts.update, {
    body: { account: { working_hours: DAYS, settings: { conversation_reminders_enabled: true } } },
  })
  const { data } = await as.ada(accounts.update, {
    body: { account: { settings: { max_num_conversation_reminders: 2 } } },
  })
  expect(data.settings).toEqual({ max_num_conversation_reminders: 2 })
  expect(data.working_hours).toEqual(DAYS)
  const asText = DAYS.map((day) => ({ ...day, start_minute: `${day.start_minute}`, end_minute: `${day.end_minute}` }))
  expect((await as.ada(accounts.update, { body: { account: { working_hours: asText } } })).data.working_hours).toEqual(
    DAYS,
  )
  expect((await as.ada(accounts.update, { body: { account: { working_hours: [] } } })).data.working_hours).toEqual([])
})

test('members may not change the account', async ({ as }) => {
  await expect(as.ben(accounts.update, { body: { account: { company_name: 'Mine' } } })).rejects.toMatchObject({
    status: 401,
  })
})

test('whatever id is in the URL, the caller’s own account is updated', async ({ as, world, read }) => {
  const { data } = await as.olga(accounts.updateById, {
    params: { id: world.acme.id },
    body: { account: { company_name: 'Other Lamps' } },
  })
  expect(data).toMatchObject({ id: world.other.id, company_name: 'Other Lamps' })
  expect((await read()).company_name).not.toBe('Other Lamps')
  const patched = await as.ada(accounts.update, { body: { account: { company_name: 'Acme' } } })
  expect(patched.data.company_name).toBe('Acme')
})

test.for<[string, object]>([
  ['company_name', { company_name: ' ' }],
  ['company_logo_url', { company_logo_url: 'javascript:alert(1)' }],
  ['time_zone', { time_zone: 'Nowhere/Land' }],
  ['working_hours', { working_hours: [{ day: 'someday', start_minute: 0, end_minute: 60 }] }],
  ['working_hours', { working_hours: [{ day: 'monday', start_minute: 0, end_minute: 1440 }] }],
  ['settings', { settings: { conversation_reminder_hours_interval: 1.5 } }],
])('a wrong %s is refused by its name and changes nothing', async ([field, account], { as, read }) => {
  const before = await read()
  const { status, errors } = await refusalOf(as.ada(accounts.update, { body: { account: account as never } }))
  expect(status).toBe(422)
  expect(JSON.stringify(errors)).toContain(field)
  const { current_minutes_since_midnight: _now, ...after } = await read()
  expect(before).toMatchObject(after)
})

test('plan and id cannot be changed by sending them', async ({ as, world }) => {
  const account = { id: world.other.id, subscription_plan: 'starter', company_name: 'Acme' }
  const { data } = await as.ada(accounts.update, { body: { account } })
  expect(data).toMatchObject({ id: world.acme.id, subscription_plan: 'team' })
})

test('the team is notified, and the audit trail records once who changed what', async ({ as, world, openSocket }) => {
  const trail = async () => (await as.ada(audit.list, { query: { action: 'account' } })).data
  const before = await trail()
  const socket = openSocket({ token: world.ben.token })
  const topic = await socket.join(`notification:${world.acme.id}`)
  await as.ada(accounts.update, { body: { account: { company_name: 'Acme & Sons' } } })
  await as.ada(accounts.update, { body: { account: { company_name: 'Acme & Sons' } } })
  const account = await topic.receive('account:updated')
  expect(account).toMatchObject({ id: world.acme.id, company_name: 'Acme & Sons', working_hours: [] })
  const [newest, ...rest] = await trail()
  const changes = { company_name: { from: 'Acme', to: 'Acme & Sons' } }
  expect(newest).toMatchObject({ action: 'account.updated', details: { fields: ['company_name'], changes } })
  expect(rest).toEqual(before)
})

test('the audit trail has the old and new value of each setting, and of long values only that they changed', async ({
  as,
}) => {
  await as.ada(accounts.update, { body: { account: { settings: { retention_days: 90 }, working_hours: DAYS } } })
  const company_logo_url = `https://acme.test/${'logo'.repeat(100)}.png`
  await as.ada(accounts.update, {
    body: { account: { company_logo_url, settings: { conversation_reminders_enabled: true }, working_hours: [] } },
  })
  const [newest] = (await as.ada(audit.list, { query: { action: 'account' } })).data
  expect(newest?.details).toEqual({
    fields: ['company_logo_url', 'working_hours', 'retention_days', 'conversation_reminders_enabled'],
    changes: {
      working_hours: { from: DAYS, to: [] },
      retention_days: { from: 90, to: null },
      conversation_reminders_enabled: { from: null, to: true },
    },
  })
  const body = await as.ada(audit.export)
  expect(body).toContain('retention_days: 90 → ; conversation_reminders_enabled:  → true')
})

test('an account without a user is refused with a sentence', async ({ as }) => {
  const refusal = await refusalOf(as.anybody(accounts.create))
  expect(refusal).toMatchObject({ status: 422, message: 'An account begins with its first user. Register instead.' })
})
