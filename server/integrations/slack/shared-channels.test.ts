import { afterAll, vi } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { integrationApps } from '#contract/connections/oauth.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { slack as slackCalls } from '#contract/integrations/slack.ts'
import { SIGNING_SECRET } from '#tests/emulators/slack.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import { readPayload } from '#tests/support/payload.ts'
import type { TestServer } from '#tests/support/server.ts'
import { connectSlack, SlackTalk, startSlack } from '#tests/support/slack.ts'
import { TIMEOUT } from '#tests/support/talk.ts'

// Accounts have their own apps, and the operator has none: a signature is only trusted for the account of its secret.
const slack = await startSlack()
const { team } = slack
const talk = new SlackTalk(slack)
afterAll(() => slack.close())
const test = base.extend('env', { scope: 'file' }, { SLACK_API_URL: slack.url, BASE_URL: 'https://support.acme.test' })

/** The other workspace of the shared channel. */
const GUEST = 'T0GUEST'
const app = (signing_secret: string) => ({ client_id: '1.1', client_secret: 'hidden', signing_secret })
const OLGAS_SECRET = 'chosen by Olga'

test.beforeEach(async ({ as }) => {
  await as.ada(integrationApps.save, { params: { vendor: 'slack' }, body: { app: app(SIGNING_SECRET) } })
  await as.olga(integrationApps.save, { params: { vendor: 'slack' }, body: { app: app(OLGAS_SECRET) } })
})
test.afterEach(async ({ as }) => {
  await talk.end(as)
  for (const { id } of (await as.olga(integrations.list)).data) {
    await as.olga(integrations.remove, { params: { id }, query: { discard: 'true' } })
  }
  for (const call of [as.ada, as.olga]) await call(integrationApps.remove, { params: { vendor: 'slack' } })
})

let eventCount = 0
const nextTime = () => `1795561300.${String(++eventCount).padStart(6, '0')}`

interface Sent {
  fixture: 'block-actions' | 'message'
  values: Record<string, string>
  /** Turns the payload into one with another workspace. */
  change?: (payload: Record<string, unknown>) => object
  secret?: string
}

/** Sends an event by an HTTP call; returns the status. */
async function send(server: TestServer, { fixture, values, change = () => ({}), secret }: Sent): Promise<number> {
  const stamped = { team: team.id, event_id: `Ev${++eventCount}`, event_ts: nextTime(), ...values }
  const whole = JSON.parse(readPayload(`slack/fixtures/${fixture}.json`, stamped)) as Record<string, unknown>
  const payload = JSON.stringify({ ...whole, ...change(whole) })
  const isAction = fixture === 'block-actions'
  const body = isAction ? new URLSearchParams({ payload }).toString() : payload
  const type = isAction ? 'application/x-www-form-urlencoded' : 'application/json'
  const headers = { 'content-type': type, ...slack.sign(body, secret ? { secret } : {}) }
  return (await server.request('POST', `/api/slack/${isAction ? 'actions' : 'webhook'}`, { headers, body })).status
}

test('Slack can verify the URL of a newly entered app before it is connected', async ({ server }) => {
  const body = JSON.stringify({ token: 'XXYYZZ', challenge: '3eZbrw1a', type: 'url_verification' })
  const verify = (secret: string) => {
    const headers = { 'content-type': 'application/json', ...slack.sign(body, { secret }) }
    return server.request('POST', '/api/slack/webhook', { headers, body })
  }
  expect((await verify('a guess')).status).toBe(401)
  for (const secret of [SIGNING_SECRET, OLGAS_SECRET]) {
    expect(await verify(secret)).toMatchObject({ status: 200, body: '3eZbrw1a' })
  }
})

const statusOf = async (as: Callers, id: string) => (await as.ben(conversations.get, { params: { id } })).data.status

/** A conversation mirrored in the channel, and the payload of pressing its button. */
async function mirrored(as: Callers, server: TestServer, write: () => Promise<{ conversation_id: string }>) {
  await connectSlack(as, slack, { isCalled: true })
  slack.calls = server.url
  const { conversation_id: conversation } = await write()
  const { ts } = await talk.threadWith(as, conversation)
  return { conversation, ts, user: 'U0GUEST', channel: team.channels.support! }
}

const presser = { id: 'U0GUEST', username: 'greta', name: 'greta', team_id: GUEST }

test('people of another workspace can press buttons in a shared channel', async ({ as, server, world }) => {
  const values = await mirrored(as, server, () => talk.write(server, world, 'Shared'))
  // Slack names the app's workspace and that of the person, in either order.
  const change = () => ({ user: presser })
  expect(await send(server, { fixture: 'block-actions', values, change, secret: 'a guess' })).toBe(401)
  expect(await statusOf(as, values.conversation)).toBe('open')
  expect(await send(server, { fixture: 'block-actions', values, change })).toBe(200)
  await vi.waitFor(async () => expect(await statusOf(as, values.conversation)).toBe('closed'), TIMEOUT)
})

test('messages in a channel shared by another workspace belong to the workspace where the app is installed', async ({
  as,
  server,
  world,
}) => {
  const { conversation, ts, channel, user } = await mirrored(as, server, () => talk.write(server, world, 'Theirs'))
  const sendEvent = (text: string, more: (payload: Record<string, unknown>) => object) => {
    const change = (payload: Record<string, unknown>) => {
      const event = { ...(payload.event as object), thread_ts: ts, parent_user_id: 'U0PARLEY1', user_team: GUEST }
      return { team_id: GUEST, is_ext_shared_channel: true, event, ...more(payload) }
    }
    return send(server, { fixture: 'message', values: { user, channel, ts: nextTime(), text }, change })
  }
  // An app installed only in the other workspace is not connected here.
  const elsewhere = { authorizations: [{ team_id: GUEST, user_id: 'U0PARLEY9', is_bot: true }], context_team_id: GUEST }
  expect(await sendEvent('Not for us', () => elsewhere)).toBe(401)
  expect(await sendEvent('By the context', () => ({ authorizations: elsewhere.authorizations }))).toBe(200)
  expect(await sendEvent('By the authorization', () => ({ context_team_id: GUEST }))).toBe(200)
  await talk.messageWith(as, conversation, 'By the authorization')
  const bodies = (await talk.bodiesOf(as, conversation)).map(({ body }) => body)
  expect(bodies.toReversed()).toEqual(['Theirs', 'By the context', 'By the authorization'])
})

test('an app of another workspace cannot sign events for this one, whatever ids it sends', async ({
  as,
  server,
  world,
}) => {
  const values = await mirrored(as, server, () => talk.write(server, world, 'Ours alone'))
  const [, other] = slack.teams
  const { bot_token, channels } = other!
  const authorization = { type: 'reply' as const, bot_token, channel_id: channels.support!, inbox_id: null }
  await as.olga(slackCalls.connect, { body: { authorization } })
  const named = { id: other!.id, domain: 'shared' }
  for (const change of [
    () => ({}),
    () => ({ user: presser }),
    () => ({ user: { ...presser, team_id: other!.id }, team: named }),
    () => ({ team_id: other!.id, authorizations: [{ team_id: team.id }, { team_id: other!.id }] }),
  ]) {
    // The secret is Olga's, so it is trusted for her company only, where none of this is known.
    expect([200, 401]).toContain(await send(server, { fixture: 'block-actions', values, change, secret: OLGAS_SECRET }))
  }
  const event = { type: 'message', user: values.user, text: 'forged', ts: nextTime(), channel: values.channel }
  const change = () => ({ event: { ...event, thread_ts: values.ts, parent_user_id: 'U0PARLEY1' } })
  const message = { user: values.user, channel: values.channel, ts: nextTime(), text: 'forged' }
  await send(server, { fixture: 'message', values: message, change, secret: OLGAS_SECRET })
  // Signed with the right secret, but for an app that nobody here has connected.
  const ofOther = () => ({ api_app_id: 'A0OTHER' })
  expect(await send(server, { fixture: 'block-actions', values, change: ofOther })).toBe(200)
  // Events after that are handled in order.
  await team.post('ada', 'support', 'By Slack itself', { thread_ts: values.ts })
  await talk.messageWith(as, values.conversation, 'By Slack itself')
  expect((await talk.bodiesOf(as, values.conversation)).map(({ body }) => body)).not.toContain('forged')
  expect(await statusOf(as, values.conversation)).toBe('open')
  const { data } = await as.ada(integrations.inboundEvents, { query: { limit: 100 } as never })
  expect(data.filter(({ state }) => state !== 'done')).toEqual([])
})
