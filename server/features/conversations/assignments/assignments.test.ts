import { availability } from '#contract/accounts/availability.ts'
import { team as people } from '#contract/accounts/team.ts'
import { type TeamDraft, teams } from '#contract/accounts/teams.ts'
import { assignments } from '#contract/conversations/assignments.ts'
import { type ConversationChanges, conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { inboxes } from '#contract/widget/inboxes.ts'
import { test as base, expect, refusalOf, statusOf } from '#tests/support/fixture.ts'
import { register, startVisitor, type VisitorInWorld } from '#tests/support/world.ts'
import { sweepTeams } from './sweeping.ts'

/** Every test has an inbox and a team of its own, and nobody is present at first. */
const test = base
  .extend('present', ({ openSocket, world }) => async (name: 'ada' | 'ben') => {
    const socket = await openSocket({ token: world[name].token }).join(`notification:${world.acme.id}`)
    await socket.push('present', {})
    return socket
  })
  .extend('leave', ({ server, world }) => (name: 'ada' | 'ben', minutes: number) => {
    return server.context.db
      .updateTable('user_availability')
      .set({ last_present_at: new Date(Date.now() - minutes * 60_000).toISOString() })
      .where('account_id', '=', world.acme.id)
      .where('user_id', '=', world[name].id)
      .execute()
  })
  .extend('inbox', async ({ as }) => {
    return (await as.ada(inboxes.create, { body: { inbox: { name: `Inbox ${Math.random()}` } } })).data
  })
  .extend('makeTeam', ({ as, world, inbox, server }, { onCleanup }) => {
    onCleanup(async () => {
      await server.context.db
        .deleteFrom('user_availability')
        .where('user_id', 'in', [world.ada.id, world.ben.id])
        .execute()
      const { data } = await as.ada(conversations.list, { query: { inbox_id: inbox.id } })
      for (const { id } of data) await as.ada(conversations.archive, { params: { id } })
    })
    return async (draft: Partial<TeamDraft> = {}) => {
      const members = [{ user_id: world.ada.id }, { user_id: world.ben.id }]
      const team = { name: `Team ${Math.random()}`, assignment: 'least_open', members, inbox_ids: [inbox.id], ...draft }
      return (await as.ada(teams.create, { body: { team: team as TeamDraft } })).data
    }
  })
  .extend('write', ({ server, world, as, inbox }) => async (visitor?: VisitorInWorld) => {
    const { token, customer_id } = visitor ?? (await startVisitor(server, world.acme.id))
    const conversation = { account_id: world.acme.id, customer_id, inbox_id: inbox.id }
    const { data } = await as.holder(token)(conversations.create, { body: { conversation } })
    const message = { conversation_id: data.id, body: 'Hello?' }
    await as.holder(token)(messages.create, { body: { message } })
    return { id: data.id, visitor: { token, customer_id } }
  })
  .extend('change', ({ as }) => (id: string, conversation: ConversationChanges) => {
    return as.ada(conversations.update, { params: { id }, body: { conversation } })
  })
  .extend(
    'read',
    ({ as }) =>
      async (id: string) =>
        (await as.ada(conversations.get, { params: { id } })).data,
  )
  .extend(
    'history',
    ({ as }) =>
      async (id: string) =>
        (await as.ada(assignments.list, { params: { id } })).data,
  )

const holderOf =
  (read: (id: string) => Promise<{ assignee_id: number | null }>, id: string) => async (): Promise<number | null> =>
    (await read(id)).assignee_id

test('a new conversation goes to the present member with the fewest open ones, and says why', async ({
  makeTeam,
  present,
  write,
  read,
  history,
  world,
}) => {
  const team = await makeTeam({ open_limit: 5 })
  const ada = await present('ada')
  const first = await write()
  await expect.poll(holderOf(read, first.id)).toBe(world.ada.id)
  expect(await read(first.id)).toMatchObject({ team_id: team.id })
  await ada.receive('conversation:assigned', ({ conversation_id }) => conversation_id === first.id)
  await present('ben')
  const second = await write()
  await expect.poll(holderOf(read, second.id)).toBe(world.ben.id)
  expect(await history(second.id)).toMatchObject([
    { user_id: world.ben.id, by_user_id: null, reason: 'least_open', open_count: 1, open_limit: 5 },
  ])
})

test('members get conversations in turn, whoever has more open ones', async ({
  makeTeam,
  present,
  write,
  read,
  change,
  world,
}) => {
  await makeTeam({ assignment: 'in_turn' })
  await present('ada')
  const first = await write()
  await expect.poll(holderOf(read, first.id)).toBe(world.ada.id)
  await change(first.id, { status: 'closed' })
  await present('ben')
  const second = await write()
  await expect.poll(holderOf(read, second.id)).toBe(world.ben.id)
  const third = await write()
  await expect.poll(holderOf(read, third.id)).toBe(world.ada.id)
})

test('nobody gets more than their limit; whoever closes or snoozes one gets the oldest that waits', async ({
  makeTeam,
  present,
  write,
  read,
  change,
  world,
}) => {
  const limits = [{ user_id: world.ada.id, open_limit: 1 }]
  await makeTeam({ open_limit: 5, members: limits })
  await present('ada')
  const first = await write()
  await expect.poll(holderOf(read, first.id)).toBe(world.ada.id)
  const second = await write()
  const third = await write()
  await change(third.id, { priority: 'priority' })
  await change(first.id, { status: 'closed' })
  await expect.poll(holderOf(read, second.id)).toBe(world.ada.id)
  expect((await read(third.id)).assignee_id).toBeNull()
  await change(second.id, { snoozed: { until: null } })
  await expect.poll(holderOf(read, third.id)).toBe(world.ada.id)
})

test('a raised limit, and a new member, get what waits', async ({ makeTeam, present, write, read, as, world }) => {
  const team = await makeTeam({ members: [{ user_id: world.ada.id, open_limit: 1 }] })
  await present('ada')
  await present('ben')
  const ids = [(await write()).id, (await write()).id, (await write()).id]
  await expect.poll(holderOf(read, ids[0]!)).toBe(world.ada.id)
  const update = (draft: Partial<TeamDraft>) =>
    as.ada(teams.update, { params: { id: team.id }, body: { team: draft as TeamDraft } })
  await update({ members: [{ user_id: world.ada.id, open_limit: 2 }] })
  await expect.poll(holderOf(read, ids[1]!)).toBe(world.ada.id)
  await update({
    members: [{ user_id: world.ada.id, open_limit: 2 }, { user_id: world.ben.id }],
  })
  await expect.poll(holderOf(read, ids[2]!)).toBe(world.ben.id)
})

test('nobody who is absent or away gets a conversation; coming back brings what waits', async ({
  makeTeam,
  present,
  leave,
  write,
  read,
  as,
  world,
  server,
}) => {
  await makeTeam()
  const { id } = await write()
  await present('ada')
  await expect.poll(holderOf(read, id)).toBe(world.ada.id)
  await leave('ada', 3)
  await as.ben(availability.update, { body: { availability: { away: true } } })
  await present('ben')
  const second = await write()
  await sweepTeams(server.context)
  expect((await read(second.id)).assignee_id).toBeNull()
  await as.ben(availability.update, { body: { availability: { away: false } } })
  await expect.poll(holderOf(read, second.id)).toBe(world.ben.id)
  const { data } = await as.ada(availability.list)
  expect(data.map(({ user_id }) => user_id)).toEqual(expect.arrayContaining([world.ada.id, world.ben.id]))
})

test('a reopened conversation stays with whoever is present and has time, and otherwise goes to the next', async ({
  makeTeam,
  present,
  leave,
  write,
  read,
  change,
  history,
  as,
  world,
}) => {
  await makeTeam()
  await present('ada')
  const { id, visitor } = await write()
  await expect.poll(holderOf(read, id)).toBe(world.ada.id)
  const reopen = async () => {
    await change(id, { status: 'closed' })
    const message = { conversation_id: id, body: 'One more thing' }
    await as.holder(visitor.token)(messages.create, { body: { message } })
  }
  await present('ben')
  await reopen()
  const marker = await write()
  await expect.poll(holderOf(read, marker.id)).toBe(world.ben.id)
  expect(await read(id)).toMatchObject({ status: 'open', assignee_id: world.ada.id })
  await leave('ada', 3)
  await reopen()
  await expect.poll(holderOf(read, id)).toBe(world.ben.id)
  expect((await history(id)).slice(0, 2)).toMatchObject([
    { user_id: world.ben.id, reason: 'least_open', open_count: 2 },
    { user_id: null, from_user_id: world.ada.id, reason: 'reopened' },
  ])
})

test('what an absent member holds returns only if its customer waits, after the minutes that the team chose', async ({
  makeTeam,
  present,
  leave,
  write,
  read,
  history,
  as,
  world,
  server,
}) => {
  await makeTeam({ return_after_minutes: 30 })
  await present('ada')
  const waiting = await write()
  const answered = await write()
  await expect.poll(holderOf(read, answered.id)).toBe(world.ada.id)
  await as.ada(messages.create, { body: { message: { conversation_id: answered.id, body: 'Done' } } })
  await leave('ada', 29)
  await server.context.db
    .updateTable('conversation_assignments')
    .set({ created_at: new Date(Date.now() - 3_600_000).toISOString() })
    .where('conversation_id', 'in', [waiting.id, answered.id])
    .execute()
  await sweepTeams(server.context)
  expect((await read(waiting.id)).assignee_id).toBe(world.ada.id)
  await leave('ada', 31)
  await sweepTeams(server.context)
  expect((await read(waiting.id)).assignee_id).toBeNull()
  expect((await read(answered.id)).assignee_id).toBe(world.ada.id)
  expect(await history(waiting.id)).toMatchObject([{ user_id: null, reason: 'absent' }, {}])
  await present('ben')
  await expect.poll(holderOf(read, waiting.id)).toBe(world.ben.id)
})

test('whoever goes away can give back what waits for an answer, and keeps the rest', async ({
  makeTeam,
  present,
  write,
  read,
  history,
  as,
  world,
}) => {
  await makeTeam()
  await present('ben')
  const waiting = await write()
  const answered = await write()
  await expect.poll(holderOf(read, answered.id)).toBe(world.ben.id)
  await as.ben(messages.create, { body: { message: { conversation_id: answered.id, body: 'Done' } } })
  await as.ben(availability.update, { body: { availability: { away: true } } })
  expect((await as.ben(assignments.countWaiting)).data).toEqual({ count: 1 })
  expect((await as.ben(assignments.giveBack)).data).toEqual({ count: 1 })
  expect((await read(waiting.id)).assignee_id).toBeNull()
  expect((await read(answered.id)).assignee_id).toBe(world.ben.id)
  expect((await history(waiting.id))[0]).toMatchObject({ reason: 'given_back', by_user_id: world.ben.id })
})

test('people may assign above the limit; who did it is kept', async ({
  makeTeam,
  present,
  write,
  change,
  history,
  world,
}) => {
  await makeTeam({ assignment: 'by_hand', open_limit: 1 })
  await present('ben')
  for (const { id } of [await write(), await write()]) {
    expect((await change(id, { assignee_id: world.ben.id })).data.assignee_id).toBe(world.ben.id)
    expect(await history(id)).toMatchObject([
      { user_id: world.ben.id, from_user_id: null, by_user_id: world.ada.id, reason: 'by_hand' },
    ])
  }
})

test('a conversation that moves to a team leaves those who are not in it; another inbox brings its own team', async ({
  makeTeam,
  write,
  change,
  as,
  world,
}) => {
  const first = await makeTeam({ assignment: 'by_hand' })
  const second = await makeTeam({ assignment: 'by_hand', members: [{ user_id: world.ada.id }], inbox_ids: [] })
  const { id } = await write()
  await change(id, { assignee_id: world.ben.id })
  expect((await change(id, { team_id: second.id })).data).toMatchObject({ team_id: second.id, assignee_id: null })
  await change(id, { assignee_id: world.ada.id })
  expect((await change(id, { team_id: first.id })).data).toMatchObject({ assignee_id: world.ada.id })
  await as.ada(teams.update, { params: { id: second.id }, body: { team: { inbox_ids: [world.billing.id] } } })
  expect((await change(id, { inbox_id: world.billing.id })).data).toMatchObject({ team_id: second.id })
  expect((await change(id, { team_id: null })).data).toMatchObject({ team_id: null })
  const unknown = await refusalOf(change(id, { team_id: crypto.randomUUID() }))
  expect(unknown.errors).toEqual({ team_id: ['does not exist'] })
  const list = await as.ada(conversations.list, { query: { team_id: second.id } })
  expect(list.data).toEqual([])
  await change(id, { archived_at: new Date().toISOString() })
  await as.ada(assignments.disbandTeam, { params: { id: second.id } })
})

test('whoever writes to a customer first keeps the conversation', async ({ makeTeam, inbox, present, as, world }) => {
  await makeTeam()
  await present('ada')
  const conversation = { customer_id: world.carla.customer_id, inbox_id: inbox.id, message: { body: 'Good news' } }
  const { data } = await as.ben(conversations.create, { body: { conversation } })
  expect(data).toMatchObject({ assignee_id: world.ben.id })
})

test('only admins change teams; names and members are checked', async ({ makeTeam, as, world }) => {
  const team = await makeTeam({ has_everybody: true, members: [] })
  const params = { id: team.id }
  expect(await statusOf(as.ben(teams.update, { params, body: { team: { name: 'Mine' } } }))).toBe(401)
  expect(await statusOf(as.ben(assignments.disbandTeam, { params }))).toBe(401)
  expect(await statusOf(as.olga(teams.update, { params, body: { team: { name: 'Mine' } } }))).toBe(404)
  expect(await statusOf(as.olga(assignments.disbandTeam, { params }))).toBe(404)
  const create = (draft: TeamDraft) => refusalOf(as.ada(teams.create, { body: { team: draft } }))
  expect((await create({ name: team.name })).errors).toHaveProperty('name')
  expect((await create({ name: 'A', members: [{ user_id: world.olga.id }] })).errors).toHaveProperty('members')
  expect((await create({ name: 'A', inbox_ids: [crypto.randomUUID()] })).errors).toHaveProperty('inbox_ids')
})

test('a disbanded team leaves its conversations and inboxes without a team', async ({
  makeTeam,
  inbox,
  write,
  read,
  as,
}) => {
  const team = await makeTeam({ assignment: 'by_hand' })
  const { id } = await write()
  await as.ada(assignments.disbandTeam, { params: { id: team.id } })
  expect(await read(id)).toMatchObject({ team_id: null, status: 'open' })
  expect((await as.ada(inboxes.get, { params: { id: inbox.id } })).data.team_id).toBeNull()
  expect(await statusOf(as.ada(teams.get, { params: { id: team.id } }))).toBe(404)
})

test('a disabled user leaves their teams', async ({ makeTeam, as, server, world }) => {
  const invitation = await server.request('POST', '/api/user_invitations', { token: world.ada.token })
  const eve = await register(server, undefined, 'eve@acme.test', invitation.body.data.id)
  const team = await makeTeam({ members: [{ user_id: eve.id }, { user_id: world.ben.id }] })
  await as.ada(people.disable, { params: { id: eve.id } })
  const { data } = await as.ada(teams.get, { params: { id: team.id } })
  expect(data.members).toEqual([{ user_id: world.ben.id, open_limit: null }])
})

test('what the chat assistant holds is handed out once it hands over, and not before', async ({
  as,
  inbox,
  makeTeam,
  present,
  server,
  world,
  read,
}) => {
  await as.ada(inboxes.update, { params: { id: inbox.id }, body: { inbox: { first_answers: 'always' } } })
  await makeTeam()
  await present('ben')
  const { token, customer_id } = await startVisitor(server, world.acme.id)
  const conversation = { account_id: world.acme.id, customer_id, inbox_id: inbox.id }
  const { id } = (await as.holder(token)(conversations.create, { body: { conversation } })).data
  await sweepTeams(server.context)
  expect(await read(id)).toMatchObject({ assistant: 'answering', assignee_id: null })
  await as.holder(token)(messages.create, { body: { message: { conversation_id: id, body: 'I want a person' } } })
  await expect.poll(holderOf(read, id), { timeout: 20_000 }).toBe(world.ben.id)
  expect(await read(id)).toMatchObject({ assistant: 'handed_over', read: false })
})
