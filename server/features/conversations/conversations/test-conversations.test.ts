import { onTestFinished } from 'vitest'
import { teams } from '#contract/accounts/teams.ts'
import { assignments } from '#contract/conversations/assignments.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { deadlines } from '#contract/conversations/deadlines.ts'
import { deletedConversations } from '#contract/conversations/deleted-conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { reporting } from '#contract/conversations/reporting.ts'
import { search } from '#contract/conversations/search.ts'
import { visitorConversations } from '#contract/conversations/visitor-conversations.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import { recountAll } from '#server/features/conversations/reporting/counting.ts'
import { makeTestToken } from '#server/features/customers/customers/test-token.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { expect, refusalOf } from '#tests/support/fixture.ts'
import { test as base, endedRuns, startFunction, TIMEOUT } from '#tests/support/functions.ts'
import { createRule, deleteRules } from '#tests/support/rules.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const test = base
  .extend('begin', ({ as, server, world }) => async (body: string) => {
    const { test_token } = (await as.ben(customers.testToken)).data
    const visitor = await startVisitor(server, world.acme.id, { email: 'tester@acme.test' }, { test_token })
    return { visitor, ...(await startConversation(server, visitor, body)) }
  })
  .extend('beginReal', ({ server, world }) => async (body: string) => {
    const visitor = await startVisitor(server, world.acme.id, { name: 'Vera' })
    return { visitor, ...(await startConversation(server, visitor, body)) }
  })

test('what is written in a test chat is in no list, count, search or report, but in the list of test conversations', async ({
  as,
  begin,
  server,
}) => {
  const figures = async () => {
    await recountAll(server.context.db)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    return (await as.ada(reporting.get, { query: { from_date: '2020-01-01', to_date: tomorrow } })).data
  }
  const before = { unread: await as.ben(conversations.unread), figures: await figures() }
  const { conversation_id, visitor } = await begin('Xylophone repairs?')
  await as.ben(messages.create, { body: { message: { conversation_id, body: 'Gladly, bring the xylophone.' } } })
  const { token } = visitor
  await as.holder(token)(messages.create, { body: { message: { conversation_id, body: 'Good' } } })

  const idsIn = async (query: object) => (await as.ben(conversations.list, { query })).data.map(({ id }) => id)
  expect(await idsIn({ customer_id: visitor.customer_id })).toEqual([])
  expect(await idsIn({ source: 'sandbox' })).toContain(conversation_id)
  expect(await idsIn({ source: 'sandbox', customer_id: visitor.customer_id })).toEqual([conversation_id])
  expect((await as.ben(search.find, { query: { q: 'xylophone' } })).data).toEqual([])
  expect((await as.ben(customerProfiles.list, { query: { q: 'tester@acme.test' } })).data).toEqual([])
  expect(await as.ben(conversations.unread)).toEqual(before.unread)
  expect(await figures()).toEqual(before.figures)
  const { data: row } = await as.ben(conversations.get, { params: { id: conversation_id } })
  expect(row).toMatchObject({ source: 'sandbox', status: 'open', messages: { length: 3 } })
})

test('nothing follows from a test conversation but runs of functions', async ({ as, begin, beginReal }) => {
  const answer = await startFunction(as.ada, 'const handler = () => 1')
  const policy = { name: 'All', first_reply_minutes: 60, in_working_hours: false }
  const { data: kept } = await as.ada(deadlines.createPolicy, { body: { policy } })
  const { data: team } = await as.ada(teams.create, { body: { team: { name: 'For tests', assignment: 'in_turn' } } })
  onTestFinished(async () => {
    await deleteRules(as)
    await as.ada(deadlines.removePolicy, { params: kept })
    await as.ada(assignments.disbandTeam, { params: team })
  })
  const trigger = { on: 'customer_message' as const }
  await createRule(as, { name: 'Escalate', trigger, actions: [{ action: 'set_priority', priority: 'priority' }] })
  const tried = await begin('Only a test')
  const real = await beginReal('Not a test')
  const read = async (id: string) => (await as.ben(conversations.get, { params: { id } })).data
  const effects = { priority: 'priority', due_kind: 'first_reply', due_at: expect.any(String) }
  await expect.poll(() => read(real.conversation_id), TIMEOUT).toMatchObject(effects)
  const runs = await endedRuns(as.ada, answer, 2)
  expect(runs).toHaveLength(2)
  expect(await read(tried.conversation_id)).toMatchObject({
    ...{ priority: 'not_priority', due_kind: null, due_at: null, assignee_id: null },
    ...{ archived_at: expect.any(String), closed_at: null },
  })
  const { data } = await as.ben(deadlines.ofConversation, { params: { id: tried.conversation_id } })
  expect(data).toEqual([])
})

test('only the team starts test conversations: a token of another company, or an expired one, is refused', async ({
  as,
  server,
  world,
}) => {
  const secretKey = server.context.config.secretKey!
  const expired = makeTestToken(secretKey, world.acme.id, Date.now() - 86_400_001)
  const { test_token: foreign } = (await as.olga(customers.testToken)).data
  for (const test_token of [expired, foreign, 'made up']) {
    await expect(startVisitor(server, world.acme.id, {}, { test_token })).rejects.toThrow(
      '"test_token":["has expired. Reload the page."]',
    )
  }
  expect((await refusalOf(as.carla(customers.testToken))).status).toBe(401)
})

test('a test conversation stays apart: it is not restored, and its chat shows it again after a reload', async ({
  as,
  begin,
  world,
}) => {
  const { conversation_id: id, visitor } = await begin('Still there?')
  const restored = as.ben(conversations.update, { params: { id }, body: { conversation: { archived_at: null } } })
  await expect(restored).rejects.toThrow('This is a test conversation.')
  const { data: deleted } = await as.ada(deletedConversations.list)
  expect(withoutBystanders(deleted).map((conversation) => conversation.id)).not.toContain(id)
  const asVisitor = as.holder(visitor.token)
  const { data: own } = await asVisitor(visitorConversations.list)
  expect(own).toMatchObject([{ id, last_message: { body: 'Still there?' } }])
  const query = { customer_id: visitor.customer_id, account_id: world.acme.id }
  expect((await asVisitor(conversations.ofCustomer, { query })).data).toMatchObject([{ id }])
  expect((await asVisitor(messages.list, { query: { conversation_id: id } })).data).toHaveLength(1)
})
