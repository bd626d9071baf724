import { audit } from '#contract/accounts/audit.ts'
import { onboarding } from '#contract/accounts/onboarding.ts'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { inboxes } from '#contract/widget/inboxes.ts'
import { connectWebsite } from '#tests/support/connect.ts'
import { expect, test } from '#tests/support/fixture.ts'
import { findConnected, loadConnected } from './authorizations.ts'
import { removeAuthorization, saveCursor } from './connect.ts'
import { recordBroken, recordProblem, recordTraffic, recordWorking } from './health.ts'
import { maskSecret, retainMasked } from './secrets.ts'

test.afterEach(async ({ as }) => {
  for (const { id } of (await as.ada(integrations.list)).data) await as.ada(integrations.remove, { params: { id } })
})

test('secrets are masked except for their end, and a masked value sent back keeps the stored one', () => {
  expect(maskSecret('xoxb-a-long-token-1234')).toBe('••••1234')
  expect(maskSecret('short')).toBe('••••')
  expect(retainMasked('••••1234', 'stored')).toBe('stored')
  expect(retainMasked('', 'stored')).toBe('stored')
  expect(retainMasked('a new one', 'stored')).toBe('a new one')
})

test('a connection has its credentials, readable on this installation only, and its cursor', async ({
  server,
  world,
}) => {
  const { context } = server
  const { id } = await connectWebsite(server, world, { address: 'support@acme.test' })
  await context.change((tx) => saveCursor(tx, world.acme.id, id, { uid: 4 }))
  const key = { integration: 'mattermost' as const, inbox_id: world.website.id }
  const connected = await findConnected(context, world.acme.id, key)
  expect(connected).toMatchObject({ id, cursor: { uid: 4 }, credentials: { token: 'a token of theirs' } })
  expect(await findConnected(context, world.other.id, key)).toBeUndefined()
  expect(await loadConnected(context, world.other.id, id)).toBeUndefined()
})

test('an address can be connected only once at a time', async ({ server, world }) => {
  const { id } = await connectWebsite(server, world, { address: 'taken@acme.test' })
  const elsewhere = () => connectWebsite(server, world, { inbox_id: world.billing.id, address: 'taken@acme.test' })
  await expect(elsewhere()).rejects.toThrow(
    'taken@acme.test is already connected elsewhere. Disconnect it there first.',
  )
  await server.context.change((tx) =>
    removeAuthorization(tx, { account_id: world.acme.id, user_id: world.ada.id, address: '' } as never, id),
  )
  expect((await elsewhere()).inbox_id).toBe(world.billing.id)
})

test('connecting completes the setup step, is in the audit trail, and shows no secrets', async ({
  as,
  server,
  world,
}) => {
  expect((await as.ada(onboarding.status)).has_integrations).toBe(false)
  const { id } = await connectWebsite(server, world)
  expect((await as.ada(onboarding.status)).has_integrations).toBe(true)
  await as.ada(integrations.remove, { params: { id } })
  const { data } = await as.ada(audit.list, { query: { action: 'integration' } })
  expect(data.slice(0, 2).map(({ action }) => action)).toEqual(['integration.disconnected', 'integration.connected'])
  await connectWebsite(server, world)
  const list = await as.ben(integrations.list)
  expect(list).toMatchObject({ is_on: true, data: [{ label: '#support', state: 'connected' }] })
  expect(JSON.stringify(list)).not.toContain('a token of theirs')
})

test('connections of a deleted inbox move with its conversations, unless the other inbox has the same', async ({
  as,
  server,
  world,
}) => {
  const make = async (name: string) => (await as.ada(inboxes.create, { body: { inbox: { name } } })).data.id
  const [first, second, third] = [await make('First'), await make('Second'), await make('Third')]
  const { id } = await connectWebsite(server, world, { inbox_id: first, label: 'moves' })
  await as.ada(conversations.removeInbox, { params: { id: first }, query: { move_to: second } })
  expect((await as.ada(integrations.list)).data).toMatchObject([{ id, inbox_id: second }])
  await connectWebsite(server, world, { inbox_id: third, label: 'goes' })
  await as.ada(conversations.removeInbox, { params: { id: third }, query: { move_to: second } })
  expect((await as.ada(integrations.list)).data).toMatchObject([{ id, label: 'moves' }])
  await as.ada(conversations.removeInbox, { params: { id: second } })
  expect((await as.ada(integrations.list)).data).toEqual([])
})

test('the traffic of a connection does not affect the status of another', async ({ as, server, world }) => {
  const { context } = server
  const first = await connectWebsite(server, world)
  const second = await connectWebsite(server, world, { integration: 'twilio', label: '+1 555 0100' })
  await context.change((tx) => recordProblem(tx, { account_id: world.acme.id, id: second.id }, 'They are away.'))
  await context.change((tx) => recordTraffic(tx, { account_id: world.acme.id, id: first.id }, 'in'))
  const byId = new Map((await as.ada(integrations.list)).data.map((authorization) => [authorization.id, authorization]))
  expect(byId.get(first.id)).toMatchObject({ last_in_at: expect.any(String), problem: null })
  expect(byId.get(second.id)).toMatchObject({ last_in_at: null, problem: 'They are away.' })
})

test('a success does not hide a later refusal', async ({ as, server, world }) => {
  const { context } = server
  const { id } = await connectWebsite(server, world)
  const whose = { account_id: world.acme.id, id }
  const problem = async () =>
    (await as.ada(integrations.list)).data.find((authorization) => authorization.id === id)!.problem
  const asked_at = new Date(Date.now() - 1_000)
  await context.change((tx) => recordProblem(tx, whose, 'Invite the app first.'))
  await context.change((tx) => recordWorking(tx, whose, asked_at))
  expect(await problem()).toBe('Invite the app first.')
  await context.change((tx) => recordWorking(tx, whose, new Date(Date.now() + 1_000)))
  expect(await problem()).toBeNull()
  await context.change((tx) => recordBroken(context, tx, whose, 'Connect it again.'))
  await context.change((tx) => recordWorking(tx, whose, new Date(Date.now() + 1_000)))
  expect(await problem()).toBe('Connect it again.')
  await as.ada(integrations.remove, { params: { id } })
})
