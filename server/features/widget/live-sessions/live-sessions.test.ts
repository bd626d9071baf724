import { randomBytes, randomUUID } from 'node:crypto'
import { accounts } from '#contract/accounts/accounts.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import { browserSessions } from '#contract/widget/live-sessions.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { expect, Refused, test } from '#tests/support/fixture.ts'
import { startVisitor } from '#tests/support/world.ts'

const newToken = () => randomBytes(32).toString('base64url')

test('a recorder begins, is found in the list with its customer, and ends by a beacon', async ({ as, world }) => {
  const { customer_id } = world.carla
  const metadata = { browser: 'Firefox', os: 'Linux', pathname: '/pricing' }
  const browser_session = { account_id: world.acme.id, customer_id, metadata, started_at: '2026-01-01T10:00:00.500Z' }
  const { data: session } = await as.anybody(browserSessions.create, { body: { browser_session } })
  expect(session).toMatchObject({ object: 'browser_session', customer_id, metadata, finished_at: null })
  const listed = await as.ada(browserSessions.list, { query: { active: true } })
  expect(withoutBystanders(listed.data)).toMatchObject([
    { id: session.id, customer: { id: customer_id, name: 'Carla' } },
  ])
  const { data: shown } = await as.ada(browserSessions.get, { params: session })
  expect(shown).toMatchObject({ id: session.id, customer: { name: 'Carla' }, browser_replay_events: [] })
  const counted = async (active: boolean) =>
    (await as.ada(browserSessions.count, { query: { active, customer_id } })).data.count
  expect([await counted(true), await counted(false)]).toEqual([1, 0])
  const { data: finished } = await as.anybody(browserSessions.finish, { params: session, body: {} })
  expect(finished.finished_at).toEqual(expect.any(String))
  expect([await counted(true), await counted(false)]).toEqual([0, 1])
})

test('the beacons of published recorders are understood: a form with base64, numbers in the address', async ({
  as,
  server,
  world,
}) => {
  const { data: session } = await as.anybody(browserSessions.create, {
    body: { browser_session: { account_id: world.acme.id } },
  })
  const beacon = (verb: string) =>
    fetch(`${server.url}/api/browser_sessions/${session.id}/${verb}?ip=1&_=${Date.now()}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'data=e30%3D',
    }).then(async (answer) => (await answer.json()).data.finished_at)
  expect(await beacon('finish')).toEqual(expect.any(String))
  expect(await beacon('restart')).toBeNull()
})

test('an unknown customer remembered by the page is ignored, and so is one of another account', async ({
  as,
  server,
  world,
}) => {
  const stranger = await startVisitor(server, world.other.id)
  for (const customer_id of [randomUUID(), stranger.customer_id, 'undefined']) {
    const { data } = await as.anybody(browserSessions.create, {
      body: { browser_session: { account_id: world.acme.id, customer_id } },
    })
    expect(data.customer_id).toBeNull()
    const named = { params: data, body: { customer_id: world.carla.customer_id } }
    expect((await as.anybody(browserSessions.identify, named)).data.customer_id).toBe(world.carla.customer_id)
    const unnamed = { params: data, body: { customer_id: null } }
    expect((await as.anybody(browserSessions.identify, unnamed)).data.customer_id).toBeNull()
  }
})

test('with the token of its tab a recorder continues its session, however often it starts', async ({ as, world }) => {
  const browser_session = { account_id: world.acme.id, token: newToken() }
  const begin = () => as.anybody(browserSessions.create, { body: { browser_session } })
  const [first, second] = [await begin(), await begin()]
  expect(second.data.id).toBe(first.data.id)
  await as.anybody(browserSessions.finish, { params: first.data, body: { token: browser_session.token } })
  expect((await begin()).data).toMatchObject({ id: first.data.id, finished_at: null })
  const elsewhere = { ...browser_session, account_id: world.other.id }
  await expect(as.anybody(browserSessions.create, { body: { browser_session: elsewhere } })).rejects.toThrow(Refused)
})

test('knowing the id of a session without its token allows nothing', async ({ as, world }) => {
  const { data } = await as.anybody(browserSessions.create, {
    body: { browser_session: { account_id: world.acme.id, token: newToken() } },
  })
  const { customer_id } = world.carla
  for (const token of [undefined, newToken()]) {
    await expect(as.anybody(browserSessions.finish, { params: data, body: { token } })).rejects.toThrow('Not found')
    await expect(as.anybody(browserSessions.restart, { params: data, body: { token } })).rejects.toThrow('Not found')
    const named = { params: data, body: { token, customer_id } }
    await expect(as.anybody(browserSessions.identify, named)).rejects.toThrow('Not found')
  }
  expect((await as.anybody(browserSessions.exists, { params: data })).data).toBe(false)
})

test('up to a hundred sessions are found by their ids at once, in either form, and unknown ids find nothing', async ({
  as,
  server,
  world,
}) => {
  const begin = () => as.anybody(browserSessions.create, { body: { browser_session: { account_id: world.acme.id } } })
  const own = (await Promise.all([begin(), begin()])).map(({ data }) => data.id).sort()
  const ids = [...own, 'nonsense', ...Array.from({ length: 97 }, () => randomUUID())]
  const listed = await as.ada(browserSessions.list, { query: { ids, limit: ids.length } })
  expect(listed.data.map(({ id }) => id).sort()).toEqual(own)
  const query = ids.map((id) => `ids[]=${id}`).join('&')
  const { body } = await server.request('GET', `/api/browser_sessions?${query}`, { token: world.ada.token })
  expect(body.data.map(({ id }: { id: string }) => id).sort()).toEqual(own)
  expect((await as.ada(browserSessions.list, { query: { ids: [] } })).data.length).toBe(0)
})

test('live sessions are for admins, unless an admin allows them for members', async ({ as }) => {
  const members = [browserSessions.list, browserSessions.count]
  for (const call of members) await expect(as.ben(call, {})).rejects.toThrow('Only admins may watch live sessions.')
  const { settings } = (await as.ada(accounts.mine)).data
  const allow = (members_watch_sessions: boolean) =>
    as.ada(accounts.update, { body: { account: { settings: { ...settings, members_watch_sessions } } } })
  await allow(true)
  for (const call of members) expect((await as.ben(call, {})).data).toBeTruthy()
  await allow(false)
  await expect(as.ben(browserSessions.list)).rejects.toThrow('Only admins')
})

test('beside a conversation, members who may not watch get an empty list', async ({ as, world }) => {
  const { customer_id } = world.carla
  const browser_session = { account_id: world.acme.id, customer_id }
  await as.anybody(browserSessions.create, { body: { browser_session } })
  const query = { customer_id, active: 'true' as const }
  expect((await as.ada(browserSessions.list, { query })).data).not.toEqual([])
  expect((await as.ben(browserSessions.list, { query })).data).toEqual([])
})

test('an admin updates and deletes sessions of their own account only', async ({ as, world }) => {
  const { data } = await as.anybody(browserSessions.create, {
    body: { browser_session: { account_id: world.acme.id } },
  })
  const change = { params: data, body: { browser_session: { customer_id: world.carla.customer_id } } }
  expect((await as.ada(browserSessions.update, change)).data.customer_id).toBe(world.carla.customer_id)
  await expect(as.olga(browserSessions.update, change)).rejects.toThrow('Not found')
  await expect(as.olga(browserSessions.get, { params: data })).rejects.toThrow('Not found')
  await expect(as.olga(browserSessions.remove, { params: data })).rejects.toThrow('Not found')
  await as.ada(browserSessions.remove, { params: data })
  await expect(as.ada(browserSessions.get, { params: data })).rejects.toThrow('Not found')
})

test('sessions move when customers are merged, move back when a merge is undone, and are deleted with their customer', async ({
  as,
  server,
  world,
}) => {
  const account_id = world.acme.id
  const [target, absorbed] = [await startVisitor(server, account_id), await startVisitor(server, account_id)]
  const browser_session = { account_id, customer_id: absorbed.customer_id }
  const { data } = await as.anybody(browserSessions.create, { body: { browser_session } })
  const whose = async () => (await as.ada(browserSessions.get, { params: data })).data.customer_id
  const params = { id: target.customer_id }
  await as.ada(customerProfiles.merge, { params, body: { customer_id: absorbed.customer_id } })
  expect(await whose()).toBe(target.customer_id)
  await as.ada(customerProfiles.unmerge, { params })
  expect(await whose()).toBe(absorbed.customer_id)
  await as.ada(customerProfiles.remove, { params: { id: absorbed.customer_id } })
  await expect(whose()).rejects.toThrow('Not found')
  expect((await as.anybody(customers.exists, { params: { id: absorbed.customer_id } })).data).toBe(false)
})
