import { afterAll, vi } from 'vitest'
import { mattermost as calls } from '#contract/integrations/mattermost.ts'
import { BOT_TOKEN, MattermostEmulator, type MattermostPost } from '#tests/emulators/mattermost.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { threadWith } from '#tests/support/mattermost.ts'
import { readForm, readPayload } from '#tests/support/payload.ts'
import { Talk, TIMEOUT } from '#tests/support/talk.ts'

// Mattermost's payloads in their complete documented shapes: most fields are ignored.
const mattermost = await MattermostEmulator.start([{ username: 'ada.l', email: 'ada@acme.test' }])
const talk = new Talk()
afterAll(() => mattermost.close())
const test = base.extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })
test.afterEach(({ as }) => talk.disconnectAll(as))

const TOKEN = 'a token of the webhook'

const asJson = (values: Record<string, string>) => ({
  headers: { 'content-type': 'application/json' },
  body: readPayload('mattermost/fixtures/outgoing-webhook.json', values),
})
const asForm = (values: Record<string, string>) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: readForm('mattermost/fixtures/outgoing-webhook.form', values).toString(),
})

test('replies, edits and deletions from Mattermost’s socket or outgoing webhook, as JSON or form, apply once', async ({
  as,
  server,
  world,
}) => {
  const { url, support } = mattermost
  const authorization = {
    mattermost_url: url,
    access_token: BOT_TOKEN,
    channel_id: support.id,
    verification_token: TOKEN,
  }
  await as.ada(calls.connect, { body: { authorization } })
  await vi.waitFor(() => expect(mattermost.openLines()).toBe(1), TIMEOUT)
  const { conversation_id } = await talk.write(server, world, 'Is the desk there?')
  const { root } = await threadWith(mattermost, 'Is the desk')
  const user = mattermost.users.get('ada.l')!.id
  let seq = 2
  const postOf = (id: string, message: string, more: object = {}) =>
    readPayload('mattermost/fixtures/post.json', {
      ...{ id, message, user, root, channel: support.id, type: '', edit_at: 0, update_at: 1_795_561_200_000 },
      ...more,
    })
  const send = (event: string, post: string) => {
    const text = readPayload('mattermost/fixtures/event.json', { event, user, channel: support.id, seq: ++seq })
    const frame = JSON.parse(text) as { data: object }
    mattermost.send({ ...frame, data: { ...frame.data, post } })
  }
  const expectBodies = (...bodies: string[]) =>
    vi.waitFor(async () => {
      const received = (await talk.bodiesOf(as, conversation_id)).map(({ body }) => body)
      expect(received.toReversed()).toEqual(['Is the desk there?', ...bodies])
    }, TIMEOUT)

  // None of these is a reply in the thread.
  send('posted', postOf('joined', 'ada.l joined the team.', { type: 'system_join_team' }))
  send('posted', postOf('elsewhere', 'In another channel', { channel: 'secret00000000000000000000' }))
  send('posted', postOf('alone', 'In no thread', { root: '' }))
  send('user_added', postOf('added', 'Of another kind'))
  send('posted', postOf('first', 'It is'))
  await expectBodies('It is')
  // Pins and reactions are reported as edits without changes.
  send('post_edited', postOf('first', 'It is', { update_at: 1_795_561_201_000 }))
  const edited = postOf('first', 'It was', { edit_at: 1_795_561_202_000, update_at: 1_795_561_202_000 })
  for (const _ of [1, 2]) send('post_edited', edited)
  await expectBodies('It was')
  // A late event from before the edit does not restore the old text.
  send('posted', postOf('first', 'It is'))

  for (const id of ['json', 'form'] as const) {
    const post = JSON.parse(postOf(id, `By a webhook (${id})`)) as MattermostPost
    mattermost.posts.set(id, post)
    const call = (token: string) => {
      const values = { token, user, channel: support.id, id }
      return server.request('POST', '/api/mattermost/webhook', id === 'json' ? asJson(values) : asForm(values))
    }
    expect((await call('a guess')).status, id).toBe(401)
    for (const _ of [1, 2]) expect((await call(TOKEN)).status, id).toBe(200)
    await talk.messageWith(as, conversation_id, `By a webhook (${id})`)
  }
  await expectBodies('It was', 'By a webhook (json)', 'By a webhook (form)')
  for (const _ of [1, 2]) send('post_deleted', edited)
  await expectBodies('By a webhook (json)', 'By a webhook (form)')
})
