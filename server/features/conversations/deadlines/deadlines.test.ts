import { accounts } from '#contract/accounts/accounts.ts'
import { audit } from '#contract/accounts/audit.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { type DeadlinePolicyChanges, deadlines } from '#contract/conversations/deadlines.ts'
import { messages } from '#contract/conversations/messages.ts'
import { reporting } from '#contract/conversations/reporting.ts'
import { tags } from '#contract/customers/tags.ts'
import { events } from '#contract/events.ts'
import { inboxes } from '#contract/widget/inboxes.ts'
import { bystandersMayChange, withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { test as base, expect, refusalOf, statusOf } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import { checkDeadlines } from './checking.ts'

const MINUTE = 60_000
const POLL = { timeout: 20_000, interval: 50 }

const test = base
  .extend('policy', async ({ as, world: _ }, { onCleanup }) => {
    const clean = async () => {
      for (const { id } of withoutBystanders((await as.ada(deadlines.listPolicies)).data)) {
        await as.ada(deadlines.removePolicy, { params: { id } })
      }
      await as.ada(accounts.update, { body: { account: { time_zone: null, working_hours: [], closed_days: [] } } })
    }
    onCleanup(clean)
    return async (policy: DeadlinePolicyChanges) =>
      (await as.ada(deadlines.createPolicy, { body: { policy: { name: 'All', in_working_hours: false, ...policy } } }))
        .data
  })
  .extend('begin', ({ server, world }) => async (text = 'Hello?') => {
    const visitor = await startVisitor(server, world.acme.id)
    const { conversation_id } = await startConversation(server, visitor, text)
    return { id: conversation_id, visitor }
  })
  .extend('write', ({ as }) => async (id: string, token?: string) => {
    const body = { message: { conversation_id: id, body: 'And now?' } }
    return (await (token ? as.holder(token) : as.ben)(messages.create, { body })).data
  })
  .extend('put', ({ as }) => (id: string, conversation: object) => {
    return as.ben(conversations.update, { params: { id }, body: { conversation } })
  })
  .extend('list', ({ as }) => async (id: string) => {
    const { data } = await as.ben(deadlines.ofConversation, { params: { id } })
    return Object.fromEntries(data.toReversed().map((deadline) => [deadline.kind, deadline]))
  })
  .extend(
    'row',
    ({ as }) =>
      async (id: string) =>
        (await as.ben(conversations.get, { params: { id } })).data,
  )

test('a new conversation is due for its first reply from its start on, and a later message for the next reply', async ({
  policy,
  begin,
  write,
  list,
  row,
}) => {
  await policy({ first_reply_minutes: 60, next_reply_minutes: 30, resolution_minutes: 600 })
  const { id, visitor } = await begin()
  const { created_at } = await row(id)
  const due_at = new Date(Date.parse(created_at) + 60 * MINUTE).toISOString()
  await expect.poll(() => row(id), POLL).toMatchObject({ due_at, due_kind: 'first_reply', due_started_at: created_at })
  // A second message of the customer does not start anew.
  await write(id, visitor.token)
  const answer = await write(id)
  await expect
    .poll(() => list(id), POLL)
    .toMatchObject({
      first_reply: { due_at, done_at: answer.created_at, broken_at: null },
      resolution: { is_paused: true, done_at: null },
    })
  expect(await row(id)).toMatchObject({ due_at: null, due_kind: 'resolution' })

  const asked = await write(id, visitor.token)
  await write(id, visitor.token)
  const next = new Date(Date.parse(asked.created_at) + 30 * MINUTE).toISOString()
  await expect.poll(() => row(id), POLL).toMatchObject({ due_at: next, due_kind: 'next_reply' })
  const second = await write(id)
  await expect.poll(async () => (await list(id)).next_reply?.done_at, POLL).toBe(second.created_at)
})

test('a note, a robot and the opening message of the team are no reply', async ({ as, policy, begin, row, world }) => {
  await policy({ first_reply_minutes: 60, resolution_minutes: 600 })
  const { id, visitor } = await begin()
  await expect.poll(async () => (await row(id)).due_kind, POLL).toBe('first_reply')
  const message = { conversation_id: id, body: 'Hm.' }
  await as.ben(messages.create, { body: { message: { ...message, private: true } } })
  await as.ben(messages.create, { body: { message: { ...message, type: 'bot' } } })
  const opening = { customer_id: visitor.customer_id, message: { body: 'We write first.' } }
  const { data } = await as.ben(conversations.create, {
    body: { conversation: { ...opening, account_id: world.acme.id } },
  })
  await expect.poll(async () => (await row(data.id)).due_kind, POLL).toBe('resolution')
  expect((await row(id)).due_kind).toBe('first_reply')
})

test('snoozing pauses all deadlines, and waking resumes them with the time that was used', async ({
  policy,
  begin,
  put,
  list,
  row,
}) => {
  await policy({ first_reply_minutes: 60, resolution_minutes: 600, pauses_while_waiting: false })
  const { id } = await begin()
  const { data: snoozed } = await put(id, { snoozed: { until: null } })
  await expect.poll(() => row(id), POLL).toMatchObject({ due_at: null, due_kind: 'first_reply' })
  const used = (Date.parse(snoozed.snoozed_at!) - Date.parse(snoozed.created_at)) / 1000
  expect(await list(id)).toMatchObject({ first_reply: { is_paused: true, used_seconds: used } })
  const { data: woken } = await put(id, { snoozed: null })
  const due_at = new Date(Date.parse(woken.updated_at) + 60 * MINUTE - used * 1000).toISOString()
  await expect.poll(() => row(id), POLL).toMatchObject({ due_at, due_kind: 'first_reply' })
})

test('closing ends the resolution, cancels an unanswered message, and reopening continues', async ({
  policy,
  begin,
  put,
  list,
  row,
}) => {
  await policy({ first_reply_minutes: 60, resolution_minutes: 600 })
  const { id } = await begin()
  const { data: closed } = await put(id, { status: 'closed' })
  await expect
    .poll(() => list(id), POLL)
    .toMatchObject({
      first_reply: { cancelled_at: closed.closed_at, done_at: null },
      resolution: { done_at: closed.closed_at },
    })
  expect(await row(id)).toMatchObject({ due_at: null, due_kind: null })
  const { data: reopened } = await put(id, { status: 'open' })
  const used = Date.parse(closed.closed_at!) - Date.parse(closed.created_at)
  const due_at = new Date(Date.parse(reopened.updated_at) + 600 * MINUTE - used).toISOString()
  await expect.poll(() => row(id), POLL).toMatchObject({ due_at, due_kind: 'resolution' })
  await put(id, { archived_at: new Date().toISOString() })
  await expect.poll(async () => (await list(id)).resolution?.cancelled_at, POLL).not.toBeNull()
})

test('the first policy that fits applies, again when inbox, priority or tags change', async ({
  as,
  policy,
  begin,
  put,
  row,
}) => {
  bystandersMayChange({ tables: ['deadline_policies'] })
  const { data: tag } = await as.ben(tags.create, { body: { tag: { name: 'gold' } } })
  const { data: inbox } = await as.ada(inboxes.create, { body: { inbox: { name: 'Repairs' } } })
  await policy({ name: 'Gold', tag_ids: [tag.id], first_reply_minutes: 1 })
  await policy({ name: 'Urgent', priority: 'priority', first_reply_minutes: 2 })
  await policy({ name: 'Repairs', inbox_ids: [inbox.id], first_reply_minutes: 3 })
  const { id: last } = await policy({ name: 'Others', first_reply_minutes: 4 })
  const { id } = await begin()
  const minutes = async () => {
    const { due_at, created_at } = await row(id)
    return due_at && (Date.parse(due_at) - Date.parse(created_at)) / MINUTE
  }
  await expect.poll(minutes, POLL).toBe(4)
  await put(id, { inbox_id: inbox.id })
  await expect.poll(minutes, POLL).toBe(3)
  await put(id, { priority: 'priority' })
  await expect.poll(minutes, POLL).toBe(2)
  await as.ben(tags.addToConversation, { params: { id }, body: { tag_id: tag.id } })
  await expect.poll(minutes, POLL).toBe(1)
  await as.ada(tags.remove, { params: { id: tag.id } })
  await expect.poll(minutes, POLL).toBe(2)
  const { data } = await as.ada(deadlines.orderPolicies, { body: { ids: [last] } })
  expect(data[0]!.id).toBe(last)
  await expect.poll(minutes, POLL).toBe(4)
  await as.ada(deadlines.updatePolicy, { params: { id: last }, body: { policy: { first_reply_minutes: 40 } } })
  await expect.poll(minutes, POLL).toBe(40)
})

test('changed hours and holidays move what has not ended, and a team that never works has no deadline', async ({
  as,
  policy,
  begin,
  row,
}) => {
  const always = [{ day: 'everyday' as const, start_minute: 0, end_minute: 1439 }]
  const account = (changes: object) => as.ada(accounts.update, { body: { account: changes } })
  await account({ time_zone: 'UTC', working_hours: always })
  await policy({ first_reply_minutes: 60, in_working_hours: true })
  const { id } = await begin()
  const { created_at } = await row(id)
  const hoursLater = (hours: number) => new Date(Date.parse(created_at) + hours * 60 * MINUTE).toISOString()
  await expect.poll(async () => (await row(id)).due_at, POLL).toBe(hoursLater(1))
  const day = (days: number) => new Date(Date.parse(created_at) + days * 1440 * MINUTE).toISOString().slice(0, 10)
  await account({ closed_days: [0, 1].map((days) => ({ date: day(days), name: 'Closed' })) })
  await expect.poll(async () => (await row(id)).due_at, POLL).toBe(`${day(2)}T01:00:00.000Z`)
  await account({ closed_days: [], working_hours: [] })
  await expect.poll(() => row(id), POLL).toMatchObject({ due_at: null, due_kind: null })
})

test('a warning and a missed deadline are announced once, whatever the number of servers', async ({
  as,
  server,
  policy,
  begin,
  row,
}) => {
  await policy({ first_reply_minutes: 60, warn_minutes: 10 })
  const { cursor } = await as.ben(events.after)
  const { id } = await begin()
  await expect.poll(async () => (await row(id)).due_kind, POLL).toBe('first_reply')
  const { created_at } = await row(id)
  const announced = async () => {
    const { data } = await as.ben(events.after, { query: { after: cursor } })
    return data.flatMap((entry) =>
      (entry.event === 'deadline:warned' || entry.event === 'deadline:broken') && entry.payload.conversation_id === id
        ? [
            {
              event: entry.event,
              assignee_id: entry.payload.assignee_id,
              is_working_time: entry.payload.is_working_time,
            },
          ]
        : [],
    )
  }
  const pass = async (minutes: number) => {
    const now = new Date(Date.parse(created_at) + minutes * MINUTE)
    await Promise.all([checkDeadlines(server.context, now), checkDeadlines(server.context, now)])
    return announced()
  }
  const notice = { assignee_id: null, is_working_time: true }
  // Until the consumer has read the last event, nothing is announced.
  expect(await pass(49)).toEqual([])
  const warned = { event: 'deadline:warned', ...notice }
  await expect.poll(() => pass(50), POLL).toEqual([warned])
  expect(await pass(59)).toEqual([warned])
  const broken = { event: 'deadline:broken', ...notice }
  await expect.poll(() => pass(60), POLL).toEqual([warned, broken])
  expect(await pass(61)).toEqual([warned, broken])
  expect((await row(id)).due_at).toBe(new Date(Date.parse(created_at) + 60 * MINUTE).toISOString())
})

test('an answer that came in time is not taken for a missed one, although it was not read yet', async ({
  server,
  policy,
  begin,
  write,
  list,
  row,
}) => {
  await policy({ first_reply_minutes: 60 })
  const { id } = await begin()
  await expect.poll(async () => (await row(id)).due_kind, POLL).toBe('first_reply')
  await write(id)
  const { created_at } = await row(id)
  await checkDeadlines(server.context, new Date(Date.parse(created_at) + 61 * MINUTE))
  await expect.poll(async () => (await list(id)).first_reply, POLL).toMatchObject({ broken_at: null })
  await expect.poll(async () => (await list(id)).first_reply?.done_at, POLL).not.toBeNull()
})

test('without an active policy nothing is followed, and what has not ended is cancelled', async ({
  as,
  policy,
  begin,
  list,
  row,
}) => {
  const { id: policy_id } = await policy({ first_reply_minutes: 60 })
  const { id } = await begin()
  await expect.poll(async () => (await row(id)).due_kind, POLL).toBe('first_reply')
  await as.ada(deadlines.updatePolicy, { params: { id: policy_id }, body: { policy: { is_active: false } } })
  await expect.poll(async () => (await row(id)).due_kind, POLL).toBeNull()
  expect((await list(id)).first_reply!.cancelled_at).not.toBeNull()
})

test('nobody owes an answer to a question that was deleted', async ({ as, policy, begin, write, list, row }) => {
  await policy({ first_reply_minutes: 60, next_reply_minutes: 30 })
  const { id, visitor } = await begin()
  await write(id)
  const asked = await write(id, visitor.token)
  await expect.poll(async () => (await row(id)).due_kind, POLL).toBe('next_reply')
  const more = await write(id, visitor.token)
  await as.ada(messages.remove, { params: { id: more.id } })
  expect((await row(id)).due_kind).toBe('next_reply')
  await as.ada(messages.remove, { params: { id: asked.id } })
  await expect.poll(async () => (await row(id)).due_kind, POLL).toBeNull()
  expect((await list(id)).next_reply!.cancelled_at).not.toBeNull()
})

test('only admins change policies, which is recorded, and those of another company are not found', async ({
  as,
  policy,
}) => {
  const body = { policy: { name: 'Mine' } }
  expect(await statusOf(as.ben(deadlines.createPolicy, { body }))).toBe(401)
  const { id } = await policy({ name: 'Recorded', first_reply_minutes: 5 })
  await as.ada(deadlines.updatePolicy, { params: { id }, body: { policy: { first_reply_minutes: 6 } } })
  const { data } = await as.ada(audit.list, { query: { action: 'deadline_policy' } })
  expect(data.slice(0, 2).map(({ action, subject_name }) => [action, subject_name])).toEqual([
    ['deadline_policy.updated', 'Recorded'],
    ['deadline_policy.created', 'Recorded'],
  ])
  expect(await statusOf(as.olga(deadlines.updatePolicy, { params: { id }, body }))).toBe(404)
  expect(await statusOf(as.olga(deadlines.removePolicy, { params: { id } }))).toBe(404)
  const { data: foreign } = await as.olga(tags.create, { body: { tag: { name: 'theirs' } } })
  const refused = await refusalOf(
    as.ada(deadlines.updatePolicy, { params: { id }, body: { policy: { tag_ids: [foreign.id] } } }),
  )
  expect(refused.errors).toEqual({ tag_ids: ['does not exist'] })
})

test('visitors see nothing of deadlines', async ({ as, policy, begin, row, world }) => {
  await policy({ first_reply_minutes: 60 })
  const { id, visitor } = await begin()
  await expect.poll(async () => (await row(id)).due_kind, POLL).toBe('first_reply')
  const query = { account_id: world.acme.id, customer_id: visitor.customer_id }
  const { data } = await as.holder(visitor.token)(conversations.ofCustomer, { query })
  expect(data.map((conversation) => conversation.id)).toEqual([id])
  expect(JSON.stringify(data)).not.toMatch(/due_|first_reply"/)
})

test('what deadlines count is what reports show, to the second', async ({ as, policy, begin, write, put, list }) => {
  await policy({ first_reply_minutes: 60, resolution_minutes: 600, pauses_while_waiting: false })
  const begun = await Promise.all([begin(), begin(), begin()])
  for (const { id } of begun) {
    await write(id)
    await put(id, { status: 'closed' })
  }
  const ended = async () => Promise.all(begun.map(async ({ id }) => !!(await list(id)).resolution?.done_at))
  await expect.poll(ended, POLL).toEqual([true, true, true])
  const counted = await Promise.all(begun.map(({ id }) => list(id)))
  const day = new Date().toISOString().slice(0, 10)
  const { data } = await as.ben(reporting.get, { query: { from_date: '2026-01-01', to_date: day } })
  const of = (lists: number[][]) => lists.flat().map((seconds) => seconds.toFixed(3))
  const replies = of(data.first_reply_metrics_by_week.map((week) => week.seconds_to_first_reply_list))
  const resolutions = of(data.resolution_metrics_by_week.map((week) => week.seconds_to_resolution_list))
  expect(replies).toEqual(expect.arrayContaining(of([counted.map((byKind) => byKind.first_reply!.used_seconds)])))
  expect(resolutions).toEqual(expect.arrayContaining(of([counted.map((byKind) => byKind.resolution!.used_seconds)])))
})

test('the list of what is due has the most urgent first, page by page, and can be limited to what is overdue', async ({
  as,
  policy,
  begin,
  put,
  row,
}) => {
  await policy({ name: 'Urgent', priority: 'priority', first_reply_minutes: 5 })
  await policy({ first_reply_minutes: 60 })
  const begun = [await begin(), await begin(), await begin()]
  await put(begun[1]!.id, { priority: 'priority' })
  for (const { id } of begun) await expect.poll(async () => (await row(id)).due_at, POLL).not.toBeNull()
  const expected = [begun[1]!.id, begun[0]!.id, begun[2]!.id]
  const ids = (data: { id: string }[]) => data.map(({ id }) => id).filter((id) => expected.includes(id))
  await expect
    .poll(async () => ids((await as.ben(conversations.list, { query: { sort: 'due', messages: 'last' } })).data), POLL)
    .toEqual(expected)
  const paged: { id: string }[] = []
  let after: string | undefined
  do {
    const page = await as.ben(conversations.list, { query: { sort: 'due', limit: 1, ...(after && { after }) } })
    paged.push(...page.data)
    after = page.next ?? undefined
  } while (after)
  expect(ids(paged)).toEqual(expected)
  const due_before = new Date(Date.now() + 10 * MINUTE).toISOString()
  const soon = await as.ben(conversations.list, { query: { sort: 'due', due_before } })
  expect(ids(soon.data)).toEqual([begun[1]!.id])
  expect((await as.ben(conversations.count, { query: { due_before } })).data.count).toBe(1)
})

test('reports say how many deadlines were met and missed, and export each of them', async ({
  as,
  policy,
  begin,
  write,
  put,
  list,
  server,
  row,
}) => {
  const { data: inbox } = await as.ada(inboxes.create, { body: { inbox: { name: 'Reported' } } })
  const { name } = await policy({ name: 'Reported', inbox_ids: [inbox.id], first_reply_minutes: 60 })
  const [met, missed] = [await begin(), await begin()]
  for (const { id } of [met, missed]) await put(id, { inbox_id: inbox.id })
  await write(met.id)
  await expect.poll(async () => (await list(met.id)).first_reply?.done_at, POLL).not.toBeNull()
  const past = new Date(Date.parse((await row(missed.id)).created_at) + 61 * MINUTE)
  const isMissed = async () => {
    await checkDeadlines(server.context, past)
    return (await list(missed.id)).first_reply?.broken_at
  }
  await expect.poll(isMissed, POLL).toBeTruthy()
  const query = { from_date: '2026-01-01', to_date: new Date().toISOString().slice(0, 10) }
  const { data } = await as.ben(reporting.deadlines, { query })
  expect(data.filter((line) => line.policy_name === name)).toEqual([
    { policy_name: name, kind: 'first_reply', met: 1, missed: 1, open: 0 },
  ])
  const csv = String(await as.ben(reporting.exportDeadlines, { query }))
  const lines = csv.split('\r\n').filter((line) => line.includes('Reported'))
  expect(lines).toHaveLength(2)
  expect(lines.filter((line) => line.includes(missed.id) && line.includes('missed'))).toHaveLength(1)
})
