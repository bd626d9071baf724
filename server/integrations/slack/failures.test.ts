import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, vi } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { mails } from '#contract/mail/mails.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { passTime } from '#tests/support/pass-time.ts'
import { connectSlack, SlackTalk, slackSettings, startSlack } from '#tests/support/slack.ts'
import { TIMEOUT } from '#tests/support/talk.ts'

const slack = await startSlack()
const { team } = slack
const talk = new SlackTalk(slack)
afterAll(() => slack.close())
const test = base.extend('env', { scope: 'file' }, slackSettings(slack))
test.afterEach(({ as }) => talk.end(as))

const health = async (as: Parameters<SlackTalk['end']>[0]) => (await as.ada(integrations.list)).data[0]!

test('edits and deletions are mirrored to Slack, and those of the team in Slack are mirrored back', async ({
  as,
  server,
  world,
}) => {
  await connectSlack(as, slack)
  await talk.openLine()
  const { conversation_id } = await talk.write(server, world, 'Hello')
  const { id } = await talk.answer(as, conversation_id, 'Frist')
  const { id: deleted } = await talk.answer(as, conversation_id, 'Away with it')
  const { ts } = await talk.threadWith(as, conversation_id, 'Frist', 'Away with it')
  await as.ada(messages.update, { params: { id }, body: { message: { body: 'First' } } as never })
  await as.ada(messages.remove, { params: { id: deleted } })
  await vi.waitFor(async () => {
    const texts = (await team.messages('support', ts)).map(({ text }) => text)
    expect(texts).toContain('First')
    expect(texts.join()).not.toMatch(/Frist|Away with it/)
  }, TIMEOUT)

  const wrong = await team.post('ada', 'support', 'It costs 9', { thread_ts: ts })
  const { id: theirs } = await talk.messageWith(as, conversation_id, 'It costs 9')
  await team.edit('ada', 'support', wrong, 'It costs *90*')
  expect(await talk.messageWith(as, conversation_id, 'It costs **90**')).toMatchObject({ id: theirs })
  await team.remove('ada', 'support', wrong)
  await vi.waitFor(
    async () => expect((await talk.bodiesOf(as, conversation_id)).map((message) => message.id)).not.toContain(theirs),
    TIMEOUT,
  )
  // The customer's text stays in the first message until the team deletes it.
  const [first] = await talk.bodiesOf(as, conversation_id).then((all) => all.filter(({ body }) => body === 'Hello'))
  await as.ada(messages.remove, { params: { id: first!.id } })
  await vi.waitFor(
    async () => expect(JSON.stringify((await team.messages('support', ts))[0]!.blocks)).toContain('was deleted'),
    TIMEOUT,
  )
})

test('repeated or reordered events are stored once', async ({ as, server, world }) => {
  await connectSlack(as, slack)
  await talk.openLine()
  const { conversation_id } = await talk.write(server, world, 'Again and again')
  const { ts } = await talk.threadWith(as, conversation_id, 'Again and again')
  await team.post('ada', 'support', 'Only once', { thread_ts: ts })
  for (const repeat of [1, 2]) await slack.send(slack.sent.at(-1)!, repeat)
  await talk.messageWith(as, conversation_id, 'Only once')
  // The edit arrives before the message itself.
  const late = await team.post('ada', 'support', 'before', { thread_ts: ts, isQuiet: true })
  await team.edit('ada', 'support', late, 'after')
  await talk.messageWith(as, conversation_id, 'after')
  const [original] = (await team.messages('support', ts)).filter((message) => message.ts === late)
  await team.sendEvent({ ...original, text: 'before', channel: team.channels.support, thread_ts: ts })
  await talk.answer(as, conversation_id, 'the end')
  await talk.threadWith(as, conversation_id, 'the end')
  const bodies = (await talk.bodiesOf(as, conversation_id)).map(({ body }) => body)
  expect(bodies.filter((body) => body === 'Only once')).toHaveLength(1)
  expect(bodies).not.toContain('before')
})

test('a lost or replaced connection loses nothing, and messages written meanwhile are fetched', async ({
  as,
  server,
  world,
}) => {
  await connectSlack(as, slack)
  await talk.openLine()
  const { conversation_id } = await talk.write(server, world, 'Are you there?')
  const { ts } = await talk.threadWith(as, conversation_id, 'Are you there?')
  slack.refresh()
  await vi.waitFor(() => expect(slack.requestsTo('apps.connections.open').length).toBeGreaterThan(2), TIMEOUT)
  await talk.openLine()
  await team.post('ada', 'support', 'by the next line', { thread_ts: ts })
  await talk.messageWith(as, conversation_id, 'by the next line')
  slack.refuseLines()
  await team.post('ada', 'support', 'while nobody listened', { thread_ts: ts })
  await vi.waitFor(async () => expect((await health(as)).problem).toBeTruthy(), TIMEOUT)
  slack.acceptLines()
  await talk.messageWith(as, conversation_id, 'while nobody listened')
  await vi.waitFor(async () => expect((await health(as)).problem).toBeNull(), TIMEOUT)
})

test('missed messages are fetched despite errors of Slack, and precede those of the new connection', async ({
  as,
  server,
  world,
}) => {
  await connectSlack(as, slack)
  await talk.openLine()
  const { conversation_id } = await talk.write(server, world, 'Is this in order?')
  const { ts } = await talk.threadWith(as, conversation_id, 'Is this in order?')
  slack.refuseLines()
  await team.post('ada', 'support', 'missed', { thread_ts: ts })
  for (const method of ['conversations.history', 'conversations.history', 'conversations.replies'])
    slack.fail(method, 500)
  slack.acceptLines()
  await talk.openLine()
  await team.post('ada', 'support', 'told at once', { thread_ts: ts })
  await talk.messageWith(as, conversation_id, 'told at once')
  const bodies = (await talk.bodiesOf(as, conversation_id)).map(({ body }) => body).toReversed()
  expect(bodies.filter((body) => body === 'missed' || body === 'told at once')).toEqual(['missed', 'told at once'])
})

test('rate limits of Slack are respected, and everything arrives in order after its errors', async ({
  as,
  server,
  world,
}) => {
  await connectSlack(as, slack)
  slack.fail('chat.postMessage', 429, 40)
  const { conversation_id } = await talk.write(server, world, 'one', 'two')
  await vi.waitFor(async () => {
    const { state, paused_until, problem } = await health(as)
    expect({ state, problem }).toEqual({
      state: 'resting',
      problem: 'Slack limits the number of messages. It will be retried later.',
    })
    expect(Date.parse(paused_until!) - Date.now()).toBeGreaterThan(20_000)
  }, TIMEOUT)
  slack.fail('chat.postMessage', 500)
  await passTime(server)
  await vi.waitFor(
    async () => expect((await health(as)).problem).toContain('Slack returned an unexpected response'),
    TIMEOUT,
  )
  await passTime(server)
  await talk.allSent(as, conversation_id)
  const { posts } = await talk.threadWith(as, conversation_id, 'two')
  expect(JSON.stringify(posts[0]!.blocks)).toContain('one')
  expect(posts.filter(({ text }) => text === 'two')).toHaveLength(1)
})

test('after a lost response the message is searched for in Slack, so that it is posted once', async ({
  as,
  server,
  world,
}) => {
  await connectSlack(as, slack)
  slack.lose('chat.postMessage')
  const { conversation_id } = await talk.write(server, world, 'The first')
  await vi.waitFor(async () => expect((await health(as)).state).toBe('resting'), TIMEOUT)
  await passTime(server)
  const { ts } = await talk.threadWith(as, conversation_id, 'The first')
  await talk.allSent(as, conversation_id)
  slack.lose('chat.postMessage')
  await talk.answer(as, conversation_id, 'The second')
  await vi.waitFor(async () => expect((await health(as)).state).toBe('resting'), TIMEOUT)
  await passTime(server)
  await talk.allSent(as, conversation_id)
  const posts = await team.messages('support', ts)
  expect(posts.filter(({ text }) => text === 'The second')).toHaveLength(1)
  const roots = (await team.messages('support')).filter(({ text }) => text.includes('The first'))
  expect(roots.map((root) => root.ts)).toEqual([ts])
})

test('a removed app breaks the connection, notifies the admins, and waiting messages are sent after reconnecting', async ({
  as,
  server,
  world,
}) => {
  const id = await connectSlack(as, slack)
  await talk.openLine()
  await team.uninstall()
  await vi.waitFor(async () => expect(await health(as)).toMatchObject({ id, state: 'broken' }), TIMEOUT)
  expect((await health(as)).problem).toContain('Slack no longer accepts the token. Install the app again')
  const written = (await as.ada(mails.list)).data.filter(({ kind }) => kind === 'integration_broken')
  expect(written.map(({ recipient }) => recipient)).toContain(world.ada.email)
  const { conversation_id } = await talk.write(server, world, 'Kept for later')
  const isWaiting = async () => expect(await talk.statesOf(as, conversation_id)).toMatchObject([{ state: 'waiting' }])
  await vi.waitFor(isWaiting, TIMEOUT)
  await sleep(500)
  await isWaiting()
  slack.restore()
  // Before reconnecting, while nothing is being sent: a delivery in progress would be sent twice.
  await passTime(server)
  expect(await connectSlack(as, slack)).toBe(id)
  await talk.allSent(as, conversation_id)
  // An opened connection shows that everything works again.
  await talk.openLine()
  slack.refuseCalls('chat.postMessage', 'not_in_channel')
  await talk.answer(as, conversation_id, 'Not yet')
  await vi.waitFor(
    async () => expect((await health(as)).problem).toContain('Invite the app to #support: write /invite'),
    TIMEOUT,
  )
})

test('incoming events do not hide a failure of outgoing messages', async ({ as, server, world }) => {
  await connectSlack(as, slack)
  await talk.openLine()
  const { conversation_id } = await talk.write(server, world, 'Hello')
  const { ts } = await talk.threadWith(as, conversation_id, 'Hello')
  await talk.allSent(as, conversation_id)
  slack.fail('chat.postMessage', 429, 40)
  await talk.answer(as, conversation_id, 'Not yet')
  await vi.waitFor(
    async () => expect((await health(as)).problem).toContain('Slack limits the number of messages'),
    TIMEOUT,
  )
  await team.post('ada', 'support', 'Can you hear me?', { thread_ts: ts })
  await vi.waitFor(async () => expect((await health(as)).last_in_at).not.toBeNull(), TIMEOUT)
  expect((await health(as)).problem).toContain('Slack limits the number of messages')
})

test('a channel connected later gets the conversation from its start', async ({ as, server, world }) => {
  const { conversation_id, more } = await talk.write(server, world, 'long ago', 'and then')
  await talk.answer(as, conversation_id, 'said before')
  await connectSlack(as, slack)
  await more('and now')
  const { posts } = await talk.threadWith(as, conversation_id, 'and now')
  expect(JSON.stringify(posts[0]!.blocks)).toContain('long ago')
  const texts = posts.map(({ text }) => text).slice(1)
  expect(texts).toEqual(['(Send a message here to get started!)', 'and then', 'said before', 'and now'])
})
