import { afterAll, vi } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import { passTime } from '#tests/support/pass-time.ts'
import { readPayload } from '#tests/support/payload.ts'
import type { TestServer } from '#tests/support/server.ts'
import { connectSlack, SlackTalk, slackSettings, startSlack } from '#tests/support/slack.ts'
import { TIMEOUT } from '#tests/support/talk.ts'

// Slack's payloads in their complete documented shapes: most fields are ignored.
const slack = await startSlack()
const { team } = slack
const talk = new SlackTalk(slack)
afterAll(() => slack.close())
const test = base.extend('env', { scope: 'file' }, slackSettings(slack))
test.afterEach(({ as }) => talk.end(as))

let events = 0
/** A unique timestamp. */
const timestamp = () => `1795561200.${String(++events).padStart(6, '0')}`

interface Values extends Record<string, string | number> {
  user: string
  channel: string
  ts: string
}

const valuesOf = (user: string, channel: string, text = ''): Values => ({
  user: team.users[user]!,
  channel: team.channels[channel]!,
  ts: timestamp(),
  text,
})

/** Sends an event by an HTTP call. */
async function send(server: TestServer, fixture: string, values: Record<string, string | number> = {}) {
  const stamped = { team: team.id, event_id: `Ev${++events}`, event_ts: timestamp(), ...values }
  const payload = readPayload(`slack/fixtures/${fixture}.json`, stamped)
  const isAction = fixture === 'block-actions'
  const body = isAction ? new URLSearchParams({ payload }).toString() : payload
  const type = isAction ? 'application/x-www-form-urlencoded' : 'application/json'
  const headers = { 'content-type': type, ...slack.sign(body) }
  const answer = await server.request('POST', `/api/slack/${isAction ? 'actions' : 'webhook'}`, { headers, body })
  expect(answer.status, fixture).toBe(200)
}

/** The stored events with their outcomes, once all were processed. */
async function outcomes(as: Callers, count: number) {
  return vi.waitFor(async () => {
    const { data } = await as.ada(integrations.inboundEvents, { query: { limit: 100 } as never })
    const ended = data.filter(({ state }) => state === 'done' || state === 'ignored')
    expect(ended).toHaveLength(count)
    return ended.map(({ reason }) => reason).toReversed()
  }, TIMEOUT)
}

test('messages, edits and deletions of a customer’s Slack thread apply, and nothing else does', async ({
  as,
  server,
}) => {
  await connectSlack(as, slack, { type: 'support', channel: 'customers', isCalled: true })
  const first = valuesOf('nora', 'customers', 'Is the oak desk there?')
  await send(server, 'bot-message', { ...first, ts: timestamp(), text: 'Deployed' })
  await send(server, 'channel-join', { ...first, ts: timestamp() })
  await send(server, 'message', first)
  const { id } = await vi.waitFor(async () => {
    const { data } = await as.ben(conversations.list, { query: { limit: 100 } as never })
    const match = data.find(({ messages }) => messages.some(({ body }) => body === first.text))
    expect(match).toMatchObject({ source: 'slack', customer: { email: 'nora@customer.test' } })
    return match!
  }, TIMEOUT)
  const url = `${slack.url}/files-pri/drawing.txt`
  team.files.set('/files-pri/drawing.txt', { mimetype: 'text/plain', bytes: Buffer.from('oak') })
  await send(server, 'message-file-share', { ...valuesOf('nora', 'customers', 'Like this'), thread: first.ts, url })
  expect((await talk.messageWith(as, id, 'Like this')).attachments).toMatchObject([{ filename: 'drawing.txt' }])
  // Slack adds a link preview.
  await send(server, 'message-unfurled', first)
  await send(server, 'message-changed', { ...first, new_text: 'Is the *oak* desk there?' })
  await talk.messageWith(as, id, 'The customer changed it in Slack to:\n\nIs the **oak** desk there?')
  // It has replies, so Slack leaves a tombstone.
  for (const _ of [1, 2]) await send(server, 'message-tombstone', first)
  await talk.messageWith(as, id, 'The customer deleted it in Slack.')
  // …and reports the deletion once the replies are gone, too.
  await send(server, 'message-deleted', first)
  expect(await outcomes(as, 5)).toEqual([null, null, 'Its text has not changed.', null, null])
  expect((await talk.bodiesOf(as, id)).map(({ body }) => body)).toEqual([
    'The customer deleted it in Slack.',
    'The customer changed it in Slack to:\n\nIs the **oak** desk there?',
    'Like this',
    'Is the oak desk there?',
  ])
})

test('messages that Slack dropped under load are fetched some minutes later, once, in both kinds of channels', async ({
  as,
  server,
  world,
}) => {
  await connectSlack(as, slack, { isCalled: true })
  await connectSlack(as, slack, { type: 'support', channel: 'customers', isCalled: true })
  const minute = Math.floor(Date.now() / 60_000) * 60
  const { conversation_id } = await talk.write(server, world, 'Too many')
  const { ts: thread_ts } = await talk.threadWith(as, conversation_id, 'Too many')
  const ts = await team.post('ada', 'support', 'Told in time', { thread_ts, isQuiet: true })
  const values = { ...valuesOf('ada', 'support', 'Told in time'), ts }
  await team.post('ada', 'support', 'Left out', { thread_ts, isQuiet: true })
  await team.post('nora', 'customers', 'Left out as well', { isQuiet: true })
  await send(server, 'app-rate-limited', { minute, team: 'T0OTHER' })
  for (const _ of [1, 2]) await send(server, 'app-rate-limited', { minute })
  const inReply = async () => (await talk.bodiesOf(as, conversation_id)).map(({ body }) => body).toReversed()
  const waiting = async () => (await as.ada(integrations.inboundEvents, { query: { state: 'waiting' } })).data
  expect(await waiting(), 'for both connections').toHaveLength(2)
  expect(await inReply()).toEqual(['Too many'])
  await passTime(server)
  await vi.waitFor(async () => expect(await inReply()).toEqual(['Too many', 'Told in time', 'Left out']), TIMEOUT)
  await vi.waitFor(async () => {
    const { data } = await as.ben(conversations.list, { query: { limit: 100 } as never })
    expect(data.filter(({ messages }) => messages.some(({ body }) => body === 'Left out as well'))).toHaveLength(1)
    expect(await waiting()).toEqual([])
  }, TIMEOUT)
  // A late event is recognised, too.
  await send(server, 'message', values)
  expect(await inReply()).toEqual(['Too many', 'Told in time', 'Left out'])
})

test('button presses, reactions and deletions of the team in Slack apply', async ({ as, server, world }) => {
  await connectSlack(as, slack, { isCalled: true })
  await connectSlack(as, slack, { type: 'support', channel: 'customers', isCalled: true })
  const { conversation_id: conversation } = await talk.write(server, world, 'Close me')
  const { ts } = await talk.threadWith(as, conversation, 'Close me')
  await send(server, 'block-actions', { ...valuesOf('ada', 'support'), ts, conversation })
  await vi.waitFor(async () => {
    const { data } = await as.ben(conversations.get, { params: { id: conversation } })
    expect(data).toMatchObject({ status: 'closed', closed_by_id: world.ada.id })
  }, TIMEOUT)
  const marked = await team.post('otto', 'customers', 'Mark me', { isQuiet: true })
  const item = { ...valuesOf('ada', 'customers'), ts: marked, item_user: team.users.otto! }
  await send(server, 'reaction-added', item)
  await vi.waitFor(async () => {
    const { data } = await as.ben(conversations.list, { query: { limit: 100 } as never })
    expect(data.filter(({ messages }) => messages.some(({ body }) => body === 'Mark me'))).toHaveLength(1)
  }, TIMEOUT)
  // From a workspace that nobody here has connected.
  slack.revoke(team.bot_token)
  await send(server, 'app-uninstalled', { team: 'T0OTHER' })
  expect((await as.ada(integrations.list)).data.map(({ state }) => state)).toEqual(['connected', 'connected'])
  await send(server, 'tokens-revoked', { user: team.users.ada! })
  await send(server, 'app-uninstalled')
  await vi.waitFor(async () => {
    expect((await as.ada(integrations.list)).data.map(({ state }) => state)).toEqual(['broken', 'broken'])
  }, TIMEOUT)
})
