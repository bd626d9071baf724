import { afterAll, vi } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { companies } from '#contract/customers/companies.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { events } from '#contract/events.ts'
import { slack as calls } from '#contract/integrations/slack.ts'
import { slackThreads } from '#contract/integrations/slack-threads.ts'
import { expectBeginning } from '#tests/support/beginning.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import { connectSlack, SlackTalk, slackSettings, startSlack } from '#tests/support/slack.ts'
import { TIMEOUT } from '#tests/support/talk.ts'

const slack = await startSlack()
const [team, shared] = slack.teams as [typeof slack.team, typeof slack.team]
const talk = new SlackTalk(slack)
afterAll(() => slack.close())
const test = base.extend('env', { scope: 'file' }, slackSettings(slack))
test.afterEach(({ as }) => talk.end(as))

const support = (as: Callers, more: object = {}) =>
  connectSlack(as, slack, { type: 'support', channel: 'customers', ...more })

/** The conversation with this message, once there is one. */
async function about(as: Callers, body: string) {
  return vi.waitFor(async () => {
    const { data } = await as.ben(conversations.list, { query: { limit: 100 } as never })
    const match = data.find((conversation) => conversation.messages.some((message) => message.body === body))
    expect(match).toBeDefined()
    return match!
  }, TIMEOUT)
}
const texts = async (channel: string, ts: string, of = team) => (await of.messages(channel, ts)).map(({ text }) => text)

test('a customer’s message in the channel becomes a conversation, and the reply is posted in its thread', async ({
  as,
  world,
}) => {
  await support(as)
  await talk.openLine()
  const { cursor } = await as.ben(events.after)
  const ts = await team.post('nora', 'customers', 'Where is my *desk*?')
  const { id, source, inbox_id, customer } = await about(as, 'Where is my **desk**?')
  await expectBeginning(as, cursor, id)
  expect({ source, inbox_id }).toEqual({ source: 'slack', inbox_id: world.website.id })
  expect(customer).toMatchObject({ name: 'Nora Customer', email: 'nora@customer.test' })
  const reply = { conversation_id: id, body: 'On its way.' }
  await as.ben(messages.create, { body: { message: reply } as never })
  await vi.waitFor(async () => expect(await texts('customers', ts)).toContain('On its way.'), TIMEOUT)
  await team.post('nora', 'customers', 'Thank you', { thread_ts: ts })
  expect(await talk.messageWith(as, id, 'Thank you')).toMatchObject({ customer_id: customer.id })
  await team.post('ada', 'customers', 'You are welcome', { thread_ts: ts })
  expect(await talk.messageWith(as, id, 'You are welcome')).toMatchObject({ user_id: world.ada.id })
  await team.post('otto', 'customers', 'Me too', { thread_ts: ts })
  const other = await talk.messageWith(as, id, 'Me too')
  expect(other).toMatchObject({
    customer_id: customer.id,
    metadata: { mail_sender: { address: 'otto@customer.test' } },
  })
  await as.ben(messages.create, { body: { message: { conversation_id: id, body: 'for us', private: true } } as never })
  await as.ben(messages.create, { body: { message: { conversation_id: id, body: 'The end' } } as never })
  await vi.waitFor(async () => expect(await texts('customers', ts)).toContain('The end'), TIMEOUT)
  const posted = await texts('customers', ts)
  expect(posted.filter((text) => /for us|Me too|Thank you/.test(text))).toHaveLength(2)
  expect((await as.ben(slackThreads.list, { query: { conversation_id: id } })).data).toMatchObject([
    { slack_channel_name: 'customers', slack_thread_ts: ts },
  ])
})

test('a customer’s message stays unchanged, and a note tells of its edit in Slack', async ({ as }) => {
  await support(as)
  await talk.openLine()
  const ts = await team.post('nora', 'customers', 'I pay 9')
  const { id } = await about(as, 'I pay 9')
  await team.edit('nora', 'customers', ts, 'I pay 8')
  expect(await talk.messageWith(as, id, 'The customer changed it in Slack to:\n\nI pay 8')).toMatchObject({
    private: true,
  })
  await team.remove('nora', 'customers', ts)
  await talk.messageWith(as, id, 'The customer deleted it in Slack.')
  await talk.messageWith(as, id, 'I pay 9')
})

test('settings decide what becomes a conversation: everything, messages marked with eyes, or threads started by the team', async ({
  as,
}) => {
  const id = await support(as)
  await talk.openLine()
  const off = { sync_all_incoming_threads: false, sync_by_emoji_tagging: true }
  const { data } = await as.ada(calls.settings, { params: { id }, body: { settings: off } })
  expect(data.settings).toMatchObject(off)
  await expect(as.ben(calls.settings, { params: { id }, body: { settings: off } })).rejects.toThrow('Unauthorized')
  await expect(as.olga(calls.settings, { params: { id }, body: { settings: off } })).rejects.toMatchObject({
    status: 404,
  })
  const quiet = await team.post('nora', 'customers', 'Nobody minds this')
  const marked = await team.post('nora', 'customers', 'Look at this')
  await team.react('ada', 'customers', marked, 'eyes')
  await about(as, 'Look at this')
  await team.react('ada', 'customers', marked, 'eyes')
  const began = await team.post('ada', 'customers', 'Who uses the new desk?')
  await team.post('otto', 'customers', 'I do', { thread_ts: began })
  const thread = await about(as, 'I do')
  expect(thread.customer.email).toBe('otto@customer.test')
  expect((await talk.bodiesOf(as, thread.id)).map(({ body }) => body)).toContain('Who uses the new desk?')
  await as.ada(calls.settings, { params: { id }, body: { settings: { sync_by_emoji_tagging: false } } })
  await team.react('ada', 'customers', quiet, 'eyes')
  await team.post('otto', 'customers', 'And I like it', { thread_ts: began })
  await talk.messageWith(as, thread.id, 'And I like it')
  const all = (await as.ben(conversations.list, { query: { limit: 100 } as never })).data
  const heads = all.flatMap((conversation) => conversation.messages.map(({ body }) => body))
  expect(heads).not.toContain('Nobody minds this')
  expect(heads.filter((body) => body === 'Look at this')).toHaveLength(1)
})

test('a channel the app is added to belongs to a company, whose people are its customers', async ({ as }) => {
  await support(as)
  await talk.openLine()
  await team.invite('globex')
  await vi.waitFor(async () => {
    const { data } = await as.ben(companies.list, {})
    expect(data).toContainEqual(
      expect.objectContaining({
        name: 'globex',
        description: 'Everything about Globex',
        slack_channel_id: team.channels.globex,
        slack_channel_name: '#globex',
        slack_team_name: 'Acme',
      }),
    )
  }, TIMEOUT)
  await team.post('otto', 'globex', 'From a company')
  const { customer } = await about(as, 'From a company')
  const company = (await as.ben(companies.list, {})).data.find(({ name }) => name === 'globex')
  const profile = (await as.ben(customerProfiles.get, { params: { id: customer.id } })).data
  expect(profile).toMatchObject({ company_id: company!.id })
})

test('several workspaces are connected in one inbox, each with its own channels and people', async ({ as }) => {
  const [first, second] = [await support(as), await support(as, { team: 1 })]
  expect(first).not.toBe(second)
  await talk.openLine()
  const list = (await as.ben(calls.authorizations, {})).data
  expect(list.map(({ id, team_name }) => ({ id, team_name }))).toEqual([
    { id: first, team_name: 'Acme' },
    { id: second, team_name: 'Shared' },
  ])
  const channels = (await as.ben(calls.channels, { query: { authorization_id: second } })).data
  expect(channels.map(({ name }) => name)).toContain('globex')
  expect((await as.olga(calls.channels, { query: { authorization_id: second } })).data).toEqual([])
  const ts = await shared.post('nora', 'customers', 'From the other workspace')
  const { id } = await about(as, 'From the other workspace')
  await as.ben(messages.create, { body: { message: { conversation_id: id, body: 'Answered there' } } as never })
  await vi.waitFor(async () => expect(await texts('customers', ts, shared)).toContain('Answered there'), TIMEOUT)
  expect((await as.ada(integrations.list)).data.every(({ failed_count }) => failed_count === 0)).toBe(true)
})

test('a customer channel and a team channel of one inbox do not form a loop', async ({ as }) => {
  await support(as)
  await connectSlack(as, slack)
  await talk.openLine()
  const ts = await team.post('nora', 'customers', 'Round and round?')
  const { id } = await about(as, 'Round and round?')
  const mirror = await talk.threadIn(as, id, 'support')
  await team.post('ada', 'support', 'Not here', { thread_ts: mirror })
  await vi.waitFor(async () => expect(await texts('customers', ts)).toContain('Not here'), TIMEOUT)
  await team.post('nora', 'customers', 'Good', { thread_ts: ts })
  await vi.waitFor(async () => expect(await texts('support', mirror)).toContain('Good'), TIMEOUT)
  const bodies = (await talk.bodiesOf(as, id)).map(({ body }) => body)
  expect(bodies.sort()).toEqual(['Good', 'Not here', 'Round and round?'])
  expect((await texts('customers', ts)).filter((text) => text === 'Not here')).toHaveLength(1)
  expect((await texts('support', mirror)).filter((text) => text === 'Not here')).toHaveLength(1)
})

test('messages written while disconnected are fetched, including new threads', async ({ as }) => {
  await support(as)
  await talk.openLine()
  slack.refuseLines()
  await team.post('nora', 'customers', 'Is anybody there?')
  await vi.waitFor(async () => expect((await as.ada(integrations.list)).data[0]!.problem).toBeTruthy(), TIMEOUT)
  slack.acceptLines()
  await about(as, 'Is anybody there?')
})

test('a reply to a channel whose workspace was disconnected waits until it is connected again', async ({ as }) => {
  const id = await support(as)
  await talk.openLine()
  const ts = await team.post('nora', 'customers', 'Does the desk fold?')
  const { id: conversation_id } = await about(as, 'Does the desk fold?')
  await as.ada(integrations.remove, { params: { id } })
  await talk.answer(as, conversation_id, 'It does')
  const problem = 'Slack is disconnected. Reconnect it under Integrations → Slack sync.'
  await vi.waitFor(
    async () => expect(await talk.statesOf(as, conversation_id)).toEqual([{ state: 'waiting', problem }]),
    TIMEOUT,
  )
  expect(await support(as)).toBe(id)
  await talk.allSent(as, conversation_id)
  expect((await texts('customers', ts)).filter((text) => text.includes('It does'))).toHaveLength(1)
})
