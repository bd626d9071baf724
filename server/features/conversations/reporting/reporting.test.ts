import { sql } from 'kysely'
import { accounts } from '#contract/accounts/accounts.ts'
import { teams } from '#contract/accounts/teams.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { reporting } from '#contract/conversations/reporting.ts'
import { tags } from '#contract/customers/tags.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import type { WorkingHours } from '#contract/widget/working-hours.ts'
import { test as base, expect, refusalOf } from '#tests/support/fixture.ts'
import { startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { workingSpans } from '../../widget/working-hours/working-spans.ts'
import { countMessages, recountAccount } from './counting.ts'

const MAY = { from_date: '2024-05-01', to_date: '2024-05-31' }

interface TimedMessage {
  by: 'customer' | 'ben' | 'ada'
  at: string
  private?: boolean
}

interface Begun {
  at: string
  messages: TimedMessage[]
  closed_at?: string
  inbox_id?: string
  assignee_id?: number
}

let first: string
const test = base
  .extend('report', ({ as }) => async (query: QueryInput<typeof reporting.get> = MAY) => {
    return (await as.ada(reporting.get, { query })).data
  })
  /** A conversation in the past: created by calls, then moved back. */
  .extend(
    'begin',
    ({ world, server }) =>
      async ({ at, messages, closed_at, inbox_id, assignee_id }: Begun): Promise<string> => {
        const visitor = await startVisitor(server, world.acme.id)
        const { conversation_id } = await startConversation(server, visitor, 'Hello')
        const { db } = server.context
        await sql`delete from messages where conversation_id = ${conversation_id}`.execute(db)
        const users = { ben: world.ben.id, ada: world.ada.id, customer: null }
        for (const [i, { by, at: created_at, private: isPrivate = false }] of messages.entries()) {
          const customer_id = by === 'customer' ? visitor.customer_id : null
          await sql`
      insert into messages (account_id, id, conversation_id, number, body, customer_id, user_id, created_at, private)
      values (${world.acme.id}, gen_random_uuid(), ${conversation_id}, ${i + 1}, 'x', ${customer_id}, ${users[by]}, ${created_at}, ${isPrivate})`.execute(
            db,
          )
        }
        const first_replied_at = messages.find(({ by }) => by !== 'customer')?.at ?? null
        await db
          .updateTable('conversations')
          .set({
            created_at: at,
            first_replied_at,
            closed_at: closed_at ?? null,
            status: closed_at ? 'closed' : 'open',
            ...(inbox_id && { inbox_id }),
            ...(assignee_id && { assignee_id }),
          })
          .where('id', '=', conversation_id)
          .execute()
        await server.context.change(({ db }) => countMessages(db, world.acme.id, [conversation_id]))
        return conversation_id
      },
  )

test('messages are counted by day, by who wrote them, by user and by weekday', async ({ world, begin, report }) => {
  // Two Mondays and a Tuesday.
  first = await begin({
    at: '2024-05-06T08:00:00Z',
    closed_at: '2024-05-06T10:00:00Z',
    assignee_id: world.ben.id,
    messages: [
      { by: 'customer', at: '2024-05-06T08:00:00Z' },
      { by: 'customer', at: '2024-05-06T08:01:00Z' },
      { by: 'ben', at: '2024-05-06T08:10:00Z' },
      { by: 'customer', at: '2024-05-07T09:30:00Z' },
      { by: 'ada', at: '2024-05-07T09:40:00Z', private: true },
    ],
  })
  await begin({
    at: '2024-05-13T08:00:00Z',
    messages: [
      { by: 'customer', at: '2024-05-13T08:00:00Z' },
      { by: 'ben', at: '2024-05-13T08:30:00Z' },
    ],
  })
  const data = await report()
  expect(data.messages_by_date).toEqual([
    { date: '2024-05-06', count: 3 },
    { date: '2024-05-07', count: 2 },
    { date: '2024-05-13', count: 2 },
  ])
  expect(data.sent_messages_by_date.map(({ count }) => count)).toEqual([1, 1, 1])
  expect(data.received_messages_by_date.map(({ count }) => count)).toEqual([2, 1, 1])
  expect(data.messages_per_user).toEqual([
    { user: { id: world.ben.id, email: 'ben@acme.test' }, count: 2 },
    { user: { id: world.ada.id, email: 'ada@acme.test' }, count: 1 },
  ])
  expect(data.messages_by_weekday).toHaveLength(7)
  expect(data.messages_by_weekday.slice(0, 3)).toEqual([
    { day: 'Monday', average: 1.5, total: 3 },
    { day: 'Tuesday', average: 1, total: 1 },
    { day: 'Wednesday', average: 0, total: 0 },
  ])
  expect(data.messages_by_hour).toEqual([
    { weekday: 0, hour: 8, count: 3 },
    { weekday: 1, hour: 9, count: 1 },
  ])
  expect(data.time_zone).toBe('UTC')
})

test('times to the first reply and to the resolution have mean, median and values by week from Sunday, the newest week first', async ({
  report,
}) => {
  const data = await report()
  expect(data.conversations_by_date).toEqual([
    { date: '2024-05-06', count: 1 },
    { date: '2024-05-13', count: 1 },
  ])
  expect([data.average_time_to_first_reply, data.median_time_to_first_reply]).toEqual([1200, 1200])
  expect([data.average_time_to_resolution, data.median_time_to_resolution]).toEqual([7200, 7200])
  const weeks = data.first_reply_metrics_by_week
  expect(weeks.map(({ start_date, end_date }) => [start_date, end_date])).toEqual([
    ['2024-05-26', '2024-06-01'],
    ['2024-05-19', '2024-05-25'],
    ['2024-05-12', '2024-05-18'],
    ['2024-05-05', '2024-05-11'],
    ['2024-04-28', '2024-05-04'],
  ])
  expect(weeks[2]).toMatchObject({ average: 1800, median: 1800, seconds_to_first_reply_list: [1800] })
  expect(weeks[3]?.seconds_to_first_reply_list).toEqual([600])
  expect(weeks[4]).toMatchObject({ average: 0, median: 0, seconds_to_first_reply_list: [] })
  expect(data.resolution_metrics_by_week[3]).toMatchObject({ average: 7200, seconds_to_resolution_list: [7200] })
  const short = await report({ ...MAY, lists: 'false' })
  expect(short.first_reply_metrics_by_week[3]).toMatchObject({ average: 600, seconds_to_first_reply_list: [] })
})

test('a week that begins on the first day is not begun twice, and a Sunday at the end counts', async ({ report }) => {
  const weeks = async (from_date: string, to_date: string) =>
    (await report({ from_date, to_date })).first_reply_metrics_by_week.map(({ start_date }) => start_date)
  expect(await weeks('2024-05-05', '2024-05-11')).toEqual(['2024-05-05'])
  expect(await weeks('2024-05-05', '2024-05-12')).toEqual(['2024-05-12', '2024-05-05'])
})

test('events at the exact bounds are excluded, and events between them count', async ({ report }) => {
  const between = async (from_date: string, to_date: string) =>
    (await report({ from_date, to_date })).messages_by_date.reduce(
      (sum: number, { count }: { count: number }) => sum + count,
      0,
    )
  expect(await between('2024-05-06T08:00:00Z', '2024-05-06T08:10:00Z')).toBe(1)
  expect(await between('2024-05-06T07:59:59Z', '2024-05-06T08:10:01Z')).toBe(3)
  expect(await between('2024-05-06T08:00:30', '2024-05-13T08:00:30')).toBe(5)
  expect(await between('2024-05-06T10:00:00+02:00', '2024-05-06T12:00:00+02:00'), 'zones are read').toBe(2)
})

test.for<[string, (world: World) => QueryInput<typeof reporting.get>, number]>([
  ['an inbox', (world) => ({ inbox_id: world.website.id }), 7],
  ['another inbox', (world) => ({ inbox_id: world.billing.id }), 0],
  ['a source', () => ({ source: 'chat' }), 7],
  ['an assignee', (world) => ({ assignee_id: String(world.ben.id) }), 5],
  ['nobody', () => ({ assignee_id: 'nobody' }), 2],
])('a report can be about the conversations of %s alone', async ([_, filter, messages], { world, report }) => {
  const data = await report({ ...MAY, ...filter(world) })
  expect(data.messages_by_date.reduce((sum, { count }) => sum + count, 0)).toBe(messages)
})

test('a report can be about conversations with a tag', async ({ as, report }) => {
  const body = await as.ada(tags.create, { body: { tag: { name: 'reported' } } })
  const tag_id = body.data.id
  await as.ada(tags.addToConversation, { params: { id: first }, body: { tag_id } })
  const data = await report({ ...MAY, tag_id })
  expect(data.conversations_by_date).toEqual([{ date: '2024-05-06', count: 1 }])
  expect(data.median_time_to_first_reply).toBe(600)
})

test('a report can be about the conversations that belong to a team', async ({ as, report }) => {
  const { data: team } = await as.ada(teams.create, { body: { team: { name: 'Support' } } })
  await as.ada(conversations.update, { params: { id: first }, body: { conversation: { team_id: team.id } } })
  const data = await report({ ...MAY, team_id: team.id })
  expect(data.conversations_by_date).toEqual([{ date: '2024-05-06', count: 1 }])
  expect(data.median_time_to_first_reply).toBe(600)
})

test('customers are counted by browser, system and time zone, the largest group first', async ({
  world,
  server,
  report,
}) => {
  const { db } = server.context
  for (const [browser, time_zone] of [
    ['Firefox', 'Asia/Tokyo'],
    ['Firefox', null],
    ['Safari', null],
  ] as const) {
    const { customer_id } = await startVisitor(server, world.acme.id)
    await db
      .updateTable('customers')
      .set({ browser, os: null, time_zone, created_at: '2024-06-05T08:00:00Z' })
      .where('id', '=', customer_id)
      .execute()
  }
  const data = await report({ from_date: '2024-06-01', to_date: '2024-06-30' })
  expect(data.customer_breakdown_by_browser).toEqual([
    { browser: 'Firefox', count: 2 },
    { browser: 'Safari', count: 1 },
  ])
  expect(data.customer_breakdown_by_os).toEqual([{ os: null, count: 3 }])
  expect(data.customer_breakdown_by_time_zone).toEqual([
    { time_zone: null, count: 2 },
    { time_zone: 'Asia/Tokyo', count: 1 },
  ])
})

test('ratings have count, mean and numbers by score', async ({ world, server, report }) => {
  await sql`
    insert into conversation_ratings (account_id, id, conversation_id, score, created_at)
    values (${world.acme.id}, gen_random_uuid(), ${first}, 4, '2024-05-08T08:00:00Z')`.execute(server.context.db)
  expect((await report()).ratings).toEqual({ count: 1, average: 4, by_score: [{ score: 4, count: 1 }] })
  expect((await report({ from_date: '2024-06-01', to_date: '2024-06-30' })).ratings).toEqual({
    count: 0,
    average: 0,
    by_score: [],
  })
})

test('times can be counted within working hours only', async ({ as, report }) => {
  const working_hours = [{ day: 'weekdays' as const, start_minute: 8 * 60 + 5, end_minute: 9 * 60 - 1 }]
  await as.ada(accounts.update, { body: { account: { working_hours } } })
  const data = await report({ ...MAY, working_hours: 'true' })
  // From 8:05 to 8:10, and from 8:05 to 8:30; resolved at 10:00, after 55 minutes of working time.
  expect(data.median_time_to_first_reply).toBe((300 + 1500) / 2)
  expect(data.average_time_to_resolution).toBe(55 * 60)
})

test('changed working hours count in the next report', async ({ as, begin, report }) => {
  await begin({
    at: '2022-06-01T00:00:00Z',
    messages: [
      { by: 'customer', at: '2022-06-01T00:00:00Z' },
      { by: 'ben', at: '2022-06-02T00:00:00Z' },
    ],
  })
  for (const end_minute of [59, 119]) {
    const working_hours = [{ day: 'everyday' as const, start_minute: 0, end_minute }]
    await as.ada(accounts.update, { body: { account: { working_hours } } })
    const june = await report({ from_date: '2022-06-01', to_date: '2022-06-30', working_hours: 'true' })
    expect(june).toMatchObject({ average_time_to_first_reply: (end_minute + 1) * 60, is_recounting: false })
  }
})

/** The working periods of a week without changes of the clocks, in seconds since Monday's midnight. */
function workedSpans(working_hours: WorkingHours[]) {
  const monday = Date.parse('1970-01-05')
  const schedule = { time_zone: 'UTC', working_hours, closed_days: [] }
  return workingSpans(schedule, monday, monday + 7 * 86_400_000).map(({ from, to }) => ({
    from: (from - monday) / 1000,
    to: (to - monday) / 1000,
  }))
}

test('working time is split into spans across nights, weekends and midnight', () => {
  const hour = 3600
  const days = [0, 24, 48, 72, 96].map((start) => ({ from: (start + 9) * hour, to: (start + 17) * hour }))
  expect(workedSpans([{ day: 'weekdays', start_minute: 540, end_minute: 1019 }])).toEqual(days)
  expect(workedSpans([{ day: 'sunday', start_minute: 1380, end_minute: 59 }])).toEqual([
    { from: 0, to: hour },
    { from: 167 * hour, to: 168 * hour },
  ])
  expect(workedSpans([{ day: 'everyday', start_minute: 0, end_minute: 1439 }])).toEqual([{ from: 0, to: 168 * hour }])
})

test('within working hours days off and other weeks in between are left out', async ({ as, begin, report }) => {
  const working_hours = [{ day: 'weekdays' as const, start_minute: 540, end_minute: 1019 }]
  await as.ada(accounts.update, { body: { account: { working_hours } } })
  // From a Friday's 16:30 to the second Monday after it: half an hour, a week of five days, and a minute and a half.
  const posts = [
    { by: 'customer' as const, at: '2023-06-02T16:30:00Z' },
    { by: 'ben' as const, at: '2023-06-12T09:01:30Z' },
  ]
  await begin({ at: '2023-06-02T16:30:00Z', messages: posts })
  const june = { from_date: '2023-06-01', to_date: '2023-06-30' }
  const worked = 1800 + 5 * 8 * 3600 + 90
  expect((await report({ ...june, working_hours: 'true' })).median_time_to_first_reply).toBe(worked)

  // Without a reply or closing there is no duration.
  await begin({ at: '2023-06-05T10:00:00Z', messages: [{ by: 'customer', at: '2023-06-05T10:00:00Z' }] })
  const within = await report({ ...june, working_hours: 'true' })
  expect([within.average_time_to_first_reply, within.average_time_to_resolution]).toEqual([worked, 0])
  const all = await report(june)
  expect(all.average_time_to_first_reply).toBe(9 * 86_400 + 59_490)
  const lists = all.first_reply_metrics_by_week.map((week) => week.seconds_to_first_reply_list)
  expect(lists.flat()).toEqual([9 * 86_400 + 59_490])
})

test('days are in the account’s time zone; when it changes, everything is recounted', async ({ as, begin, report }) => {
  await begin({ at: '2024-07-01T22:30:00Z', messages: [{ by: 'customer', at: '2024-07-01T22:30:00Z' }] })
  const july = { from_date: '2024-07-01', to_date: '2024-07-31' }
  expect((await report(july)).messages_by_date).toEqual([{ date: '2024-07-01', count: 1 }])
  const body = { account: { time_zone: 'Asia/Kolkata' } }
  await as.ada(accounts.update, { body })
  await expect
    .poll(async () => (await report(july)).messages_by_date, { timeout: 10_000 })
    .toEqual([{ date: '2024-07-02', count: 1 }])
  const data = await report(july)
  expect(data.time_zone).toBe('Asia/Kolkata')
  expect(data.conversations_by_date).toEqual([{ date: '2024-07-02', count: 1 }])
  expect(data.messages_by_hour).toEqual([{ weekday: 1, hour: 4, count: 1 }])
})

test('messages written and deleted today are counted within moments, like in a full count', async ({
  as,
  world,
  server,
}) => {
  const visitor = await startVisitor(server, world.acme.id)
  const { conversation_id } = await startConversation(server, visitor, 'one')
  const token = world.ben.token
  const sent = await as.holder(token)(messages.create, { body: { message: { conversation_id, body: 'two' } } })
  const counted = async () => {
    const { rows } = await sql<{ sum: number }>`
      select coalesce(sum(messages), 0)::int as sum from message_counts where conversation_id = ${conversation_id}`.execute(
      server.context.db,
    )
    return rows[0]!.sum
  }
  await expect.poll(counted, { timeout: 10_000 }).toBe(2)
  await as.holder(token)(messages.remove, { params: { id: sent.data.id } })
  await expect.poll(counted, { timeout: 10_000 }).toBe(1)
  const all = () =>
    sql`select * from message_counts order by day, hour, conversation_id, author`.execute(server.context.db)
  const before = (await all()).rows
  await recountAccount(server.context.db, world.acme.id)
  expect((await all()).rows).toEqual(before)
})

test('both dates are required, with the error that existing clients know', async ({ report }) => {
  const { status, body } = await refusalOf(report({ from_date: '2024-05-01' } as never))
  expect(status).toBe(400)
  expect(body.error).toMatchObject({
    message: 'The following parameters are required: from_date, to_date',
    received: ['from_date'],
  })
  await expect(report({ from_date: 'soon', to_date: '2024-05-01' })).rejects.toHaveProperty('errors', {
    from_date: ['is invalid'],
  })
  await expect(report({ from_date: '0001-01-01', to_date: '2024-05-01' })).rejects.toMatchObject({ status: 422 })
})

test('days and conversations are exported as CSV, one row each', async ({ as, world, server }) => {
  const { token } = world.ada
  const address = '/api/reporting/days.csv?from_date=2024-05-06&to_date=2024-05-08'
  const days = await server.request('GET', address, { token })
  expect(days.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(days.body.replace('\ufeff', '').trim().split('\r\n')).toEqual([
    'date,conversations,messages,sent_messages,received_messages',
    '"2024-05-06","1","3","1","2"',
    '"2024-05-07","0","2","1","1"',
    '"2024-05-08","0","0","0","0"',
  ])
  const conversations = await as.ada(reporting.exportConversations, { query: MAY })
  const lines = String(conversations).trim().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toContain('"600"')
  expect(lines[1]).toContain('"reported"')
  expect(lines[1]).not.toContain('@shop')
})

test('a day from 9:00 to 17:00 counts 480 minutes, whether its end is stored as 17:00 or 16:59', () => {
  for (const end_minute of [1019, 1020]) {
    const [span] = workedSpans([{ day: 'monday', start_minute: 540, end_minute }])
    expect(span).toEqual({ from: 9 * 3600, to: 17 * 3600 })
  }
  expect(workedSpans([{ day: 'monday', start_minute: 0, end_minute: 1439 }])).toEqual([{ from: 0, to: 86_400 }])
  expect(workedSpans([{ day: 'monday', start_minute: 1320, end_minute: 360 }])).toEqual([
    { from: 22 * 3600, to: 30 * 3600 },
  ])
})

test.for([
  ['around the clock', [{ day: 'everyday' as const, start_minute: 0, end_minute: 1439 }]],
  ['from 1:00 to 8:00', [{ day: 'everyday' as const, start_minute: 60, end_minute: 480 }]],
  ['without hours', undefined],
] as const)(
  'hours that clocks show twice or leave out are counted as they pass: %s',
  async ([, working_hours], { as, begin, report }) => {
    const account = { time_zone: 'Europe/Berlin', working_hours: [...(working_hours ?? [])] }
    await as.ada(accounts.update, { body: { account } })
    // From 1:30 to 4:30 on the local clock: four hours in October, two in March.
    for (const [day, from, to, hours] of [
      ['2021-10-31', '2021-10-30T23:30:00Z', '2021-10-31T03:30:00Z', 4],
      ['2021-03-28', '2021-03-28T00:30:00Z', '2021-03-28T02:30:00Z', 2],
      ['2021-06-06', '2021-06-05T23:30:00Z', '2021-06-06T02:30:00Z', 3],
    ] as const) {
      const messages = [
        { by: 'customer' as const, at: from },
        { by: 'ben' as const, at: to },
      ]
      await begin({ at: from, messages })
      const question = { from_date: day, to_date: day, ...(working_hours && { working_hours: 'true' as const }) }
      await expect
        .poll(async () => (await report(question)).average_time_to_first_reply, { timeout: 10_000 })
        .toBe(hours * 3600)
    }
  },
)

test('a day whose first hour comes twice has both of them', async ({ as, begin, report }) => {
  await as.ada(accounts.update, { body: { account: { time_zone: 'America/Havana', working_hours: [] } } })
  const day = { from_date: '2026-11-01', to_date: '2026-11-01' }
  // 0:30 in summer time, 0:30 after the clocks were set back, and 23:30 of the day before.
  for (const at of ['2026-11-01T04:30:00Z', '2026-11-01T05:30:00Z', '2026-11-01T03:30:00Z']) {
    await begin({ at, messages: [{ by: 'customer', at }] })
  }
  await expect
    .poll(async () => (await report(day)).messages_by_date, { timeout: 10_000 })
    .toEqual([{ date: '2026-11-01', count: 2 }])
  const october = await report({ from_date: '2026-10-31', to_date: '2026-10-31' })
  expect(october.messages_by_date).toEqual([{ date: '2026-10-31', count: 1 }])
})

test('all names of a time zone are one row, and days or zones that do not exist are refused', async ({
  as,
  world,
  server,
  report,
}) => {
  const zones = ['Asia/Saigon', 'Asia/Ho_Chi_Minh', 'Asia/Saigon', 'US/Pacific', 'America/Los_Angeles', 'Mars/Crater']
  for (const time_zone of zones) {
    const visitor = await startVisitor(server, world.acme.id)
    await server.context.db
      .updateTable('customers')
      .set({ time_zone, created_at: '2019-05-05T12:00:00Z' })
      .where('id', '=', visitor.customer_id)
      .execute()
  }
  const { customer_breakdown_by_time_zone: rows } = await report({ from_date: '2019-05-01', to_date: '2019-05-31' })
  expect(rows).toEqual([
    { time_zone: 'Asia/Ho_Chi_Minh', count: 3 },
    { time_zone: 'America/Los_Angeles', count: 2 },
    { time_zone: 'Mars/Crater', count: 1 },
  ])
  for (const from_date of ['2026-02-30', '2026-13-01', 'banana 7', '2026-02-30T10:00:00Z', '2026-04-31 10:00']) {
    expect((await refusalOf(report({ from_date, to_date: '2026-12-31' }))).status, from_date).toBe(422)
  }
  for (const time_zone of ['+05:00', '-0330', 'Mars/Crater']) {
    expect((await refusalOf(as.ada(accounts.update, { body: { account: { time_zone } } }))).status, time_zone).toBe(422)
  }
})

test('while figures are counted again after a change of the time zone, the report says so', async ({
  as,
  world,
  server,
  report,
}) => {
  await as.ada(accounts.update, { body: { account: { time_zone: 'Asia/Tokyo' } } })
  await expect.poll(async () => (await report()).is_recounting, { timeout: 10_000 }).toBe(false)
  const { db } = server.context
  // As after a change that nobody has worked on yet.
  await db.updateTable('accounts').set({ time_zone: 'Asia/Kolkata' }).where('id', '=', world.acme.id).execute()
  expect(await report()).toMatchObject({ is_recounting: true, time_zone: 'Asia/Tokyo' })
  await recountAccount(db, world.acme.id)
  expect(await report()).toMatchObject({ is_recounting: false, time_zone: 'Asia/Kolkata' })
})
