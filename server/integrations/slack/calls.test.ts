import { afterAll, vi } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { integrationApps, oauth } from '#contract/connections/oauth.ts'
import { slack as slackCalls } from '#contract/integrations/slack.ts'
import { slackThreads } from '#contract/integrations/slack-threads.ts'
import { CLIENT } from '#tests/emulators/slack.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { connectSlack, SlackTalk, slackSettings, startSlack } from '#tests/support/slack.ts'
import { TIMEOUT } from '#tests/support/talk.ts'

const slack = await startSlack()
const { team } = slack
const talk = new SlackTalk(slack)
afterAll(() => slack.close())
const test = base.extend(
  'env',
  { scope: 'file' },
  {
    ...slackSettings(slack),
    BASE_URL: 'https://support.acme.test',
    SLACK_CLIENT_ID: CLIENT.id,
    SLACK_CLIENT_SECRET: CLIENT.secret,
  },
)
test.afterEach(({ as }) => talk.end(as))

const call = (url: string, path: string, body: string, headers: Record<string, string>) =>
  fetch(`${url}/api/slack/${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })

test('calls without a current signature of Slack are refused', async ({ server }) => {
  const body = JSON.stringify({ type: 'url_verification', challenge: 'prove it' })
  const status = async (headers: Record<string, string>, sent = body) =>
    (await call(server.url, 'webhook', sent, headers)).status
  expect(await status({})).toBe(401)
  expect(await status(slack.sign(body, { secret: 'a guess' }))).toBe(401)
  expect(await status(slack.sign(body, { age: 301 }))).toBe(401)
  expect(await status(slack.sign(body, { age: -301 }))).toBe(401)
  expect(await status(slack.sign(body), `${body} `)).toBe(401)
  const answer = await call(server.url, 'webhook', body, slack.sign(body))
  expect([answer.status, await answer.text()]).toEqual([200, 'prove it'])
  const form = new URLSearchParams({ payload: 'no json' }).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await call(server.url, 'actions', form, { ...type, ...slack.sign(`${form}x`) })).status).toBe(401)
  expect((await call(server.url, 'actions', form, { ...type, ...slack.sign(form) })).status).toBe(200)
})

test('events and button presses also arrive by HTTP calls of Slack, and repeated calls change nothing', async ({
  as,
  server,
  world,
}) => {
  await connectSlack(as, slack, { isCalled: true })
  slack.calls = server.url
  expect((await as.ada(integrations.list)).data).toMatchObject([{ way_in: 'called', state: 'waiting' }])
  const { conversation_id } = await talk.write(server, world, 'Called')
  const { ts } = await talk.threadWith(as, conversation_id, 'Called')
  await team.post('ada', 'support', 'By a call', { thread_ts: ts })
  expect(await slack.send(slack.sent.at(-1)!, 1)).toBe(true)
  await talk.messageWith(as, conversation_id, 'By a call')
  await team.press('ada', 'support', ts, 'close_conversation')
  await vi.waitFor(
    async () => expect(JSON.stringify((await team.messages('support', ts))[0]!.blocks)).toContain('Reopen'),
    TIMEOUT,
  )
  const bodies = (await talk.bodiesOf(as, conversation_id)).map(({ body }) => body)
  expect(bodies.filter((body) => body === 'By a call')).toHaveLength(1)
  expect((await as.ada(integrations.list)).data).toMatchObject([{ state: 'connected' }])
})

test('an event gives no access to another account, whatever ids it contains', async ({ as, server, world }) => {
  await connectSlack(as, slack)
  await talk.openLine()
  const { conversation_id } = await talk.write(server, world, 'Ours')
  const { ts } = await talk.threadWith(as, conversation_id, 'Ours')
  const foreign = await as.olga(slackThreads.list, { query: { conversation_id } }).catch((error) => error.status)
  expect(foreign).toBe(404)
  const button = { action_id: 'close_conversation', value: crypto.randomUUID(), type: 'button', action_ts: '1.1' }
  const press = (actions: object[], team_id = team.id) =>
    slack.send({
      type: 'interactive',
      payload: {
        type: 'block_actions',
        api_app_id: 'A0PARLEY1',
        team: { id: team_id },
        user: { id: team.users.ada },
        channel: { id: team.channels.support },
        actions,
      },
    })
  await press([button])
  await press([{ ...button, value: conversation_id, action_ts: '1.2' }], 'T0OTHER')
  await team.sendEvent({
    type: 'message',
    channel: 'C0ELSEWHERE',
    user: team.users.ada,
    text: 'lost',
    ts: '9.9',
    thread_ts: ts,
  })
  await talk.answer(as, conversation_id, 'the end')
  await talk.threadWith(as, conversation_id, 'the end')
  expect(JSON.stringify((await team.messages('support', ts))[0]!.blocks)).toContain('Mark as resolved')
  const { data } = await as.ada(integrations.inboundEvents, { query: { state: 'ignored' } })
  expect(data).toMatchObject([{ state: 'ignored', reason: 'The button does not belong to Parley.' }])
})

test('the app of one account does not sign events for another account in the same workspace', async ({
  as,
  server,
  world,
}) => {
  await connectSlack(as, slack, { isCalled: true })
  slack.calls = server.url
  const { conversation_id } = await talk.write(server, world, 'Confidential')
  const { ts } = await talk.threadWith(as, conversation_id, 'Confidential')
  const app = { client_id: 'theirs', client_secret: 'theirs', signing_secret: 'chosen by themselves' }
  await as.olga(integrationApps.save, { params: { vendor: 'slack' }, body: { app } })
  const { bot_token, channels } = team
  const authorization = { type: 'reply' as const, bot_token, channel_id: channels.customers!, inbox_id: null }
  const theirs = (await as.olga(slackCalls.connect, { body: { authorization } })).data.id
  const { support: channel } = channels
  const event = { type: 'message', channel, user: team.users.ada, text: 'forged', ts: '9.9', thread_ts: ts }
  const body = JSON.stringify({ type: 'event_callback', team_id: team.id, event_id: 'Ev0', event: event })
  const { status } = await call(server.url, 'webhook', body, slack.sign(body, { secret: app.signing_secret }))
  expect(status).toBe(200)
  await team.post('ada', 'support', 'By Slack itself', { thread_ts: ts })
  await talk.messageWith(as, conversation_id, 'By Slack itself')
  expect((await talk.bodiesOf(as, conversation_id)).map(({ body }) => body)).not.toContain('forged')
  await as.olga(integrations.remove, { params: { id: theirs }, query: { discard: 'true' } })
  await as.olga(integrationApps.remove, { params: { vendor: 'slack' } })
})

test('a channel is connected through the consent page of Slack, with the returned code, once', async ({
  as,
  server,
  world,
}) => {
  const start = { integration: 'slack' as const, inbox_id: world.website.id }
  const { url, state } = (await as.ada(oauth.start, { body: start })).data
  expect(new URL(url).searchParams.get('scope')).toContain('chat:write.customize')
  const returned = await team.consent(url, 'ada')
  const body = { state, code: returned.get('code')! }
  expect((await as.ada(oauth.finish, { body })).data).toMatchObject({ ok: true, integration: 'slack' })
  await expect(as.ada(oauth.finish, { body })).rejects.toThrow('was not started here')
  expect((await as.ada(slackCalls.authorization, {})).data).toMatchObject({
    channel: '#support',
    configuration_url: expect.stringContaining('acme.slack.com/services/'),
    app_token: null,
  })
  slack.calls = server.url
  const { conversation_id } = await talk.write(server, world, 'By consent')
  const { ts } = await talk.threadWith(as, conversation_id, 'By consent')
  await team.post('ada', 'support', 'And back', { thread_ts: ts })
  await talk.messageWith(as, conversation_id, 'And back')
  // Clients of Papercups only send the code.
  const again = await team.consent((await as.ada(oauth.start, { body: start })).data.url, 'ada')
  expect((await as.ada(slackCalls.oauth, { query: { code: again.get('code')!, type: 'reply' } })).data.ok).toBe(true)
  await expect(as.ada(slackCalls.oauth, { query: { code: 'made up', type: 'reply' } })).rejects.toMatchObject({
    status: 401,
  })
  await expect(as.ada(slackCalls.oauth, { query: { code: 'any', type: 'support' } })).rejects.toMatchObject({
    status: 401,
  })
})

test('rotating tokens are refreshed before they expire, and when Slack reports an expired one', async ({
  as,
  server,
  world,
}) => {
  const TWELVE_HOURS = 43_200
  slack.token_seconds = TWELVE_HOURS
  const { url, state } = (await as.ada(oauth.start, { body: { integration: 'slack', inbox_id: world.website.id } }))
    .data
  const returned = await team.consent(url, 'ada')
  await as.ada(oauth.finish, { body: { state, code: returned.get('code')! } })
  slack.calls = server.url
  const { conversation_id } = await talk.write(server, world, 'With the first token')
  const { ts } = await talk.threadWith(as, conversation_id, 'With the first token')
  await talk.allSent(as, conversation_id)
  const tokenOfLast = () => slack.requests.findLast(({ method }) => method === 'chat.postMessage')!.token
  const first = tokenOfLast()
  expect(first).toMatch(/^xoxe\.xoxb-/)

  slack.token_seconds = 200
  slack.expire(first)
  await talk.answer(as, conversation_id, 'With the second')
  await talk.threadWith(as, conversation_id, 'With the second')
  const second = tokenOfLast()
  expect(second).not.toBe(first)

  slack.token_seconds = TWELVE_HOURS
  await talk.answer(as, conversation_id, 'With the third')
  await talk.threadWith(as, conversation_id, 'With the third')
  expect(tokenOfLast()).not.toBe(second)
  await team.post('ada', 'support', 'And back', { thread_ts: ts })
  await talk.messageWith(as, conversation_id, 'And back')
})
