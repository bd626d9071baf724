import { afterAll, vi } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { slack as calls } from '#contract/integrations/slack.ts'
import { widgets } from '#contract/widget/widgets.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { connectSlack, SlackTalk, slackSettings, startSlack } from '#tests/support/slack.ts'
import { TIMEOUT } from '#tests/support/talk.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import { saveCredentials } from '../../features/connections/authorizations/secrets.ts'

// The server needs its address at start.
const slack = await startSlack()
const { team } = slack
afterAll(() => slack.close())
const test = base.extend('env', { scope: 'file' }, slackSettings(slack))

const talk = new SlackTalk(slack)
test.afterEach(({ as }) => talk.end(as))

test('tokens are tested before a channel is connected, and no token is shown', async ({ as, world }) => {
  const { bot_token, app_token, channels } = team
  const lookUp = (tokens: object) => as.ada(calls.lookup, { body: { authorization: { ...tokens } } })
  await expect(lookUp({ bot_token: 'xoxp-of-a-person', app_token })).rejects.toMatchObject({
    errors: { bot_token: ['must be the “Bot User OAuth Token”, which begins with xoxb-'] },
  })
  await expect(lookUp({ bot_token, app_token: 'xapp-1-A0OTHER-1-abc' })).rejects.toMatchObject({
    errors: { app_token: ['belongs to a different app than the bot token'] },
  })
  await expect(lookUp({ bot_token: 'xoxb-nobody', app_token })).rejects.toThrow('Slack no longer accepts the token.')
  slack.refuseCalls('auth.test', 'missing_scope', { needed: 'users:read' })
  await expect(lookUp({ bot_token, app_token })).rejects.toThrow('The app lacks the permission users:read.')
  const { data } = await lookUp({ bot_token, app_token })
  expect(data).toMatchObject({ team_id: 'T0ACME', team_name: 'Acme', bot_name: 'parley' })
  expect(data.channels.map(({ name }) => name)).toEqual(expect.arrayContaining(['customers', 'general', 'support']))
  const id = await connectSlack(as, slack)
  const shown = (await as.ben(calls.authorization, {})).data
  expect(shown).toMatchObject({
    id,
    channel: '#support',
    channel_id: channels.support,
    team_name: 'Acme',
    inbox_id: world.website.id,
  })
  expect(JSON.stringify([shown, await as.ben(integrations.list)])).not.toContain('xoxb-')
  expect((await team.messages('support')).at(-1)?.text).toContain('Conversations of the inbox')
  await expect(as.ben(calls.connect, { body: { authorization: { channel_id: 'C1' } } })).rejects.toThrow('Unauthorized')
  expect((await as.olga(calls.authorization, {})).data).toBeNull()
  await expect(as.olga(calls.remove, { params: { id } })).rejects.toMatchObject({ status: 404 })
  // Masked tokens keep the stored ones.
  const masked = { bot_token: shown!.bot_token, app_token: shown!.app_token, channel_id: channels.customers! }
  expect((await as.ada(calls.connect, { body: { authorization: masked } })).data.id).toBe(id)
  await as.ada(calls.remove, { params: { id } })
  expect((await as.ada(calls.authorization, {})).data).toBeNull()
})

test('a channel can be connected only once, and the app has to be invited to a private one', async ({ as, world }) => {
  await connectSlack(as, slack)
  await expect(connectSlack(as, slack, { type: 'support' })).rejects.toThrow(
    'This Slack channel has already been connected with another integration.\nPlease select another channel',
  )
  await expect(connectSlack(as, slack, { inbox_id: world.billing.id })).rejects.toMatchObject({ status: 400 })
  await expect(connectSlack(as, slack, { inbox_id: world.billing.id, channel: 'secret' })).rejects.toThrow(
    'Invite the app to',
  )
})

test('a connection whose token was stored under an older name still works', async ({ as, server, world }) => {
  const id = await connectSlack(as, slack)
  const { bot_token, app_token } = team
  const { keys, change } = server.context
  await change((tx) => saveCredentials(tx, keys, { account_id: world.acme.id, id }, { bot_token, app_token }))
  const { conversation_id } = await talk.write(server, world, 'Are you still there?')
  await talk.threadWith(as, conversation_id, 'Are you still there?')
  await talk.allSent(as, conversation_id)
})

test('a conversation is mirrored in order, with customer details, notes and files, and answered from there', async ({
  as,
  server,
  world,
}) => {
  await connectSlack(as, slack)
  await talk.openLine()
  const { conversation_id, more } = await talk.write(server, world, 'Is the **oak** desk <!channel> there?')
  const { ts, posts, thread } = await talk.threadWith(as, conversation_id, 'Send a message here to get started!')
  expect(thread).toMatchObject({ slack_channel_name: 'support', slack_channel: team.channels.support })
  expect(thread.permalink).toContain('acme.slack.com/archives/')
  const root = JSON.stringify(posts[0]!.blocks)
  for (const text of [
    'Walker',
    'walker@visitor.test',
    'Is the **oak** desk &lt;!channel&gt; there?',
    ':wave: Unhandled',
  ]) {
    expect(root).toContain(text)
  }
  expect(root).toContain(`"value":"${conversation_id}"`)

  await team.post('ada', 'support', 'It *is* :tada:, see <https://acme.test/oak|the page> &amp; call <@U000000001>', {
    thread_ts: ts,
  })
  const reply = await talk.messageWith(
    as,
    conversation_id,
    'It **is** 🎉, see [the page](https://acme.test/oak) & call @Admin User',
  )
  expect(reply).toMatchObject({ user_id: world.ada.id, private: false })
  await team.post('temp', 'support', ';; ask the carpenter', { thread_ts: ts })
  expect(await talk.messageWith(as, conversation_id, 'ask the carpenter')).toMatchObject({
    private: true,
    user_id: world.ada.id,
    external_author: 'Temp Worker',
  })
  const file = { name: 'desk.txt', mimetype: 'text/plain', bytes: Buffer.from('oak') }
  await team.post('ada', 'support', 'Drawing', { thread_ts: ts, files: [file] })
  expect((await talk.messageWith(as, conversation_id, 'Drawing')).attachments).toMatchObject([{ filename: 'desk.txt' }])

  await more('Thank you')
  await talk.answer(as, conversation_id, 'Second line', { type: 'note', private: true })
  const later = await talk.threadWith(as, conversation_id, 'Thank you', '\\\\ _Second line_')
  expect(later.posts.find(({ text }) => text === 'Thank you')).toMatchObject({ username: 'Walker' })
  // Messages written in Slack are not sent back there.
  expect(later.posts.filter(({ text }) => text.includes('Drawing'))).toHaveLength(1)
  await vi.waitFor(async () => {
    expect(JSON.stringify((await team.messages('support', ts))[0]!.blocks)).toContain(':speech_balloon: In progress')
    expect((await as.ada(integrations.list)).data).toMatchObject([
      { state: 'connected', waiting_count: 0, failed_count: 0 },
    ])
  }, TIMEOUT)
})

test('names of the other writing direction stay together in Slack, and nothing in them turns what follows', async ({
  as,
  server,
  world,
}) => {
  await connectSlack(as, slack)
  await talk.openLine()
  const visitor = await startVisitor(server, world.acme.id, { name: 'ליאת\u202e (חנות) 2' })
  const { conversation_id } = await startConversation(server, visitor, 'Is the desk (3) there?')
  const { ts, posts } = await talk.threadWith(as, conversation_id, 'Is the desk')
  expect(posts[0]!.text).toContain('\u2068ליאת (חנות) 2\u2069: Is the desk (3) there?')
  expect(JSON.stringify(posts[0]!.blocks)).toContain('*\u2068ליאת (חנות) 2\u2069* wrote:')
  expect(JSON.stringify(posts)).not.toContain('\u202e')
  await team.post('noa', 'support', 'It is', { thread_ts: ts })
  expect(await talk.messageWith(as, conversation_id, 'It is')).toMatchObject({ external_author: 'נועה (מחסן) 7' })
})

test('buttons close and open a conversation, as whoever pressed them, and the first message shows it', async ({
  as,
  server,
  world,
}) => {
  await connectSlack(as, slack)
  await talk.openLine()
  const { conversation_id } = await talk.write(server, world, 'Close me')
  const { ts } = await talk.threadWith(as, conversation_id, 'Send a message here')
  const status = async () => (await as.ben(conversations.get, { params: { id: conversation_id } })).data
  await team.press('ada', 'support', ts, 'close_conversation')
  await vi.waitFor(
    async () => expect(await status()).toMatchObject({ status: 'closed', closed_by_id: world.ada.id }),
    TIMEOUT,
  )
  await vi.waitFor(
    async () =>
      expect(JSON.stringify((await team.messages('support', ts))[0]!.blocks)).toContain('Reopen conversation'),
    TIMEOUT,
  )
  await team.press('temp', 'support', ts, 'open_conversation')
  await vi.waitFor(async () => expect(await status()).toMatchObject({ status: 'open' }), TIMEOUT)
  await as.ben(conversations.update, { params: { id: conversation_id }, body: { conversation: { status: 'closed' } } })
  await vi.waitFor(
    async () => expect(JSON.stringify((await team.messages('support', ts))[0]!.blocks)).toContain('Closed'),
    TIMEOUT,
  )
})

test('an answer by somebody without an account has their own name, for the team and for the customer', async ({
  as,
  server,
  world,
}) => {
  await connectSlack(as, slack)
  await talk.openLine()
  const visitor = await startVisitor(server, world.acme.id, { name: 'Walker', email: 'walker@visitor.test' })
  const { conversation_id } = await startConversation(server, visitor, 'Who is there?')
  const { ts } = await talk.threadWith(as, conversation_id, 'Who is there?')
  await team.post('temp', 'support', 'A temp', { thread_ts: ts })
  await team.post('ada', 'support', 'And Ada', { thread_ts: ts })
  const written = await talk.messageWith(as, conversation_id, 'A temp')
  // Published clients need the id of a user.
  expect(written).toMatchObject({
    user_id: world.ada.id,
    external_author: 'Temp Worker',
    user: { id: world.ada.id, display_name: 'Temp Worker', full_name: 'Temp Worker', profile_photo_url: null },
  })
  const own = await talk.messageWith(as, conversation_id, 'And Ada')
  expect(own).not.toHaveProperty('external_author')
  expect(own).toMatchObject({ user: { id: world.ada.id } })
  const seen = async () => {
    const { body } = await server.request(
      'GET',
      `/api/conversations/customer?customer_id=${visitor.customer_id}&account_id=${world.acme.id}`,
      {
        token: visitor.token,
      },
    )
    return body.data.flatMap((conversation: { messages: object[] }) => conversation.messages)
  }
  expect(await seen()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ body: 'A temp', user: expect.objectContaining({ display_name: 'Temp Worker' }) }),
    ]),
  )
  // No sender can claim to be somebody else.
  const forged = await as.ben(messages.create, {
    body: { message: { conversation_id, body: 'forged', external_author: 'The boss' } } as never,
  })
  expect(forged.data).not.toHaveProperty('external_author')
  const hide = (use_company_profile_only: boolean) =>
    as.ada(widgets.update, { body: { widget_settings: { use_company_profile_only } } })
  await hide(true)
  const hidden = (await seen()).find(({ body }: { body: string }) => body === 'A temp')
  expect(hidden).not.toHaveProperty('external_author')
  expect(JSON.stringify(hidden)).not.toContain('Temp Worker')
  await hide(false)
})

test('a reply in Slack that nothing can send is refused, its thread says so once, and it can be tried again', async ({
  as,
  server,
  world,
}) => {
  const authorization_id = await connectSlack(as, slack)
  await talk.openLine()
  const conversation = { customer_id: world.carla.customer_id, source: 'email' as const }
  const { id: conversation_id } = (await as.ada(conversations.create, { body: { conversation } })).data
  await talk.answer(as, conversation_id, 'Who knows this?', { private: true })
  const { ts } = await talk.threadWith(as, conversation_id, 'Who knows this?')
  await team.post('ada', 'support', 'I do, *gladly*', { thread_ts: ts })
  const { posts } = await talk.threadWith(as, conversation_id, 'was not sent', '> I do, *gladly*', 'Connect a mailbox')
  expect(posts.filter(({ text }) => text?.includes('was not sent'))).toHaveLength(1)
  await team.post('ada', 'support', ';; only a note', { thread_ts: ts })
  await talk.messageWith(as, conversation_id, 'only a note')
  const bodies = async () => (await talk.bodiesOf(as, conversation_id)).map(({ body }) => body)
  expect(await bodies()).not.toContain('I do, **gladly**')
  const query = { state: 'ignored' as const, authorization_id }
  const refused = (await as.ada(integrations.inboundEvents, { query })).data.find(({ reason }) =>
    reason?.includes('no mail server is set up'),
  )
  expect(refused).toMatchObject({ conversation_id })
  const { mailer } = server.context
  mailer.isOn = true
  try {
    await as.ada(integrations.retryInbound, { params: { id: refused!.id } })
    await talk.messageWith(as, conversation_id, 'I do, **gladly**')
  } finally {
    mailer.isOn = false
  }
  expect((await bodies()).filter((body) => body?.includes('was not sent'))).toHaveLength(1)
})
