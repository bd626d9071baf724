import { accounts } from '#contract/accounts/accounts.ts'
import { reporting } from '#contract/conversations/reporting.ts'
import { inboxes } from '#contract/widget/inboxes.ts'
import { widgets } from '#contract/widget/widgets.ts'
import { test as base, expect, refusalOf } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import { addWorking, workingBetween } from './working-time.ts'

const ALWAYS = { day: 'everyday' as const, start_minute: 0, end_minute: 1439 }

const test = base
  .extend('account', async ({ as, world: _ }, { onCleanup }) => {
    const reset = { time_zone: null, working_hours: [], closed_days: [] }
    onCleanup(async () => void (await as.ada(accounts.update, { body: { account: reset } })))
    return (account: object) => as.ada(accounts.update, { body: { account } })
  })
  .extend('isClosed', ({ as, world }) => async (inbox_id?: string) => {
    const query = { account_id: world.acme.id, ...(inbox_id && { inbox_id }) }
    return (await as.anybody(widgets.settings, { query })).data.account.is_outside_working_hours
  })

test('a closed day is closed for visitors, and its own periods are not', async ({ as, account, isClosed }) => {
  await account({ time_zone: 'UTC', working_hours: [ALWAYS] })
  expect(await isClosed()).toBe(false)
  const date = new Date().toISOString().slice(0, 10)
  // A test that runs over midnight finds the next day closed, too.
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const days = [date, tomorrow].map((day) => ({ date: day, name: 'Holiday', periods: [], yearly: false }))
  const { data } = await account({ closed_days: days })
  expect(data.closed_days).toEqual(days)
  expect(await isClosed()).toBe(true)
  expect((await as.ben(accounts.mine)).data).toMatchObject({ is_outside_working_hours: true, closed_days: days })
  const periods = [{ start_minute: 0, end_minute: 1439 }]
  await account({ closed_days: days.map((day) => ({ ...day, periods })) })
  expect(await isClosed()).toBe(false)
})

test('an inbox has the hours of the account, or its own', async ({ as, world: _, account, isClosed }) => {
  await account({ time_zone: 'UTC', working_hours: [ALWAYS] })
  const { data: inbox } = await as.ada(inboxes.create, { body: { inbox: { name: 'Nights' } } })
  expect(inbox.working_hours).toBeNull()
  const set = (working_hours: (typeof ALWAYS)[] | null) =>
    as.ada(inboxes.update, { params: { id: inbox.id }, body: { inbox: { working_hours } } })
  expect((await set([])).data.working_hours).toEqual([])
  expect([await isClosed(), await isClosed(inbox.id)]).toEqual([false, true])
  expect((await set(null)).data.working_hours).toBeNull()
  expect(await isClosed(inbox.id)).toBe(false)
})

test('only admins change hours and closed days, and visitors do not read closed days', async ({
  as,
  world,
  account,
}) => {
  const { data: inbox } = await as.ada(inboxes.create, { body: { inbox: { name: 'Days' } } })
  const closed_days = [{ date: '2026-12-24', name: 'Christmas Eve' }]
  const change = { params: { id: inbox.id }, body: { inbox: { working_hours: [] } } }
  expect((await refusalOf(as.ben(inboxes.update, change))).status).toBe(401)
  expect((await refusalOf(as.ben(accounts.update, { body: { account: { closed_days } } }))).status).toBe(401)
  await account({ closed_days })
  const { data } = await as.anybody(widgets.settings, { query: { account_id: world.acme.id } })
  expect(JSON.stringify(data)).not.toContain('Christmas Eve')
})

test.for([
  ['a day that does not exist', { date: '2026-02-30', name: 'Nothing' }],
  ['a time instead of a day', { date: '2026-02-03T10:00:00Z', name: 'Now' }],
  ['no name', { date: '2026-02-03', name: ' ' }],
  ['a minute outside the day', { date: '2026-02-03', name: 'Late', periods: [{ start_minute: 0, end_minute: 1440 }] }],
] as const)('a closed day is refused: %s', async ([, day], { as }) => {
  const body = { account: { closed_days: [day] } }
  expect((await refusalOf(as.ada(accounts.update, { body } as never))).status).toBe(422)
})

test('reports count no closed days, and the hours of an inbox for its conversations', async ({
  as,
  server,
  world,
  account,
}) => {
  const nine = { day: 'everyday' as const, start_minute: 540, end_minute: 1019 }
  const closed_days = [
    { date: '2020-05-01', yearly: true, name: 'Labour Day' },
    { date: '2024-05-02', name: 'Half a day', periods: [{ start_minute: 540, end_minute: 719 }] },
  ]
  await account({ time_zone: 'UTC', working_hours: [nine], closed_days })
  const { data: inbox } = await as.ada(inboxes.create, {
    body: { inbox: { name: 'Reported', working_hours: [ALWAYS] } },
  })
  const begin = async (inbox_id?: string) => {
    const visitor = await startVisitor(server, world.acme.id)
    const { conversation_id } = await startConversation(server, visitor, 'Hello?')
    const times = { created_at: '2024-04-30T16:00:00Z', first_replied_at: '2024-05-02T15:00:00Z' }
    await server.context.db
      .updateTable('conversations')
      .set({ ...times, ...(inbox_id && { inbox_id }) })
      .where('id', '=', conversation_id)
      .execute()
  }
  const query = { from_date: '2024-04-30', to_date: '2024-04-30', working_hours: true }
  const worked = async () => (await as.ben(reporting.get, { query })).data.average_time_to_first_reply / 3600
  await begin()
  // An hour on the 30th of April, and three on the 2nd of May.
  expect(await worked()).toBe(4)
  await begin(inbox.id)
  // In that inbox: eight hours on the 30th of April, and three on the 2nd of May.
  expect(await worked()).toBe((4 + 11) / 2)
})

test('reports count what deadlines count, to the second, through both changes of summer time', async ({
  as,
  server,
  world,
  account,
}) => {
  const working_hours = [
    { day: 'weekdays' as const, start_minute: 9 * 60, end_minute: 12 * 60 - 1 },
    { day: 'everyday' as const, start_minute: 22 * 60, end_minute: 4 * 60 - 1 },
  ]
  const closed_days = [{ date: '2000-03-30', yearly: true, name: 'Closed', periods: [] }]
  await account({ time_zone: 'Europe/Berlin', working_hours, closed_days })
  const visitor = await startVisitor(server, world.acme.id)
  const { conversation_id } = await startConversation(server, visitor, 'Hello?')
  const { db } = server.context
  const schedule = { time_zone: 'Europe/Berlin', working_hours, closed_days }
  for (const [from_date, to_date] of [
    ['2025-03-24', '2025-04-02'],
    ['2025-10-20', '2025-10-29'],
  ] as const) {
    // Steps that meet neither hours nor minutes.
    for (let at = Date.parse(`${from_date}T10:00:00Z`); at < Date.parse(to_date); at += 11.37 * 3_600_000) {
      const until = at + 31.7 * 3_600_000
      const times = { created_at: new Date(at).toISOString(), first_replied_at: new Date(until).toISOString() }
      await db.updateTable('conversations').set(times).where('id', '=', conversation_id).execute()
      const query = { from_date, to_date, working_hours: true }
      const { data } = await as.ben(reporting.get, { query })
      const seconds = workingBetween(Date.parse(times.created_at), Date.parse(times.first_replied_at), schedule) / 1000
      expect(data.average_time_to_first_reply, times.created_at).toBeCloseTo(seconds, 3)
      expect(addWorking(at, seconds * 1000, schedule)).toBeLessThanOrEqual(until)
    }
  }
})
