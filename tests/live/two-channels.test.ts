import { afterAll, vi } from 'vitest'
import { erasure } from '#contract/customers/erasure.ts'
import { mattermost as mattermostCalls } from '#contract/integrations/mattermost.ts'
import { BOT_TOKEN, MattermostEmulator } from '#tests/emulators/mattermost.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import { threadWith } from '#tests/support/mattermost.ts'
import { connectSlack, SlackTalk, slackSettings, startSlack } from '#tests/support/slack.ts'
import { TIMEOUT } from '#tests/support/talk.ts'

const slack = await startSlack()
const mattermost = await MattermostEmulator.start([{ username: 'ada.l', email: 'ada@acme.test' }])
const talk = new SlackTalk(slack)
const test = base.extend('env', { scope: 'file' }, { ...slackSettings(slack), REACHABLE_HOSTS: '127.0.0.1' })
afterAll(() => Promise.all([slack.close(), mattermost.close()]))
test.afterEach(({ as }) => talk.end(as))

async function connectBoth(as: Callers) {
  const authorization = {
    mattermost_url: mattermost.url,
    access_token: BOT_TOKEN,
    channel_id: mattermost.support.id,
  }
  await connectSlack(as, slack)
  await as.ada(mattermostCalls.connect, { body: { authorization } })
  await talk.openLine()
  await vi.waitFor(() => expect(mattermost.openLines()).toBe(1), TIMEOUT)
}

const threadThere = (begin: string, ...texts: string[]) => threadWith(mattermost, begin, ...texts)
const countOf = (posts: string[], text: string) => posts.filter((post) => post.includes(text)).length

test('if two channels serve one inbox, each receives the other’s replies once, and nothing loops', async ({
  as,
  server,
  world,
}) => {
  await connectBoth(as)
  const { team } = slack
  const { conversation_id, more } = await talk.write(server, world, 'Who answers me?')
  const { ts } = await talk.threadWith(as, conversation_id, 'Who answers me?')
  const { root } = await threadThere('Who answers me?')
  const inSlack = await team.post('ada', 'support', 'from Slack', { thread_ts: ts })
  await threadThere('Who answers me?', 'from Slack')
  mattermost.post('ada.l', 'from Mattermost', root)
  mattermost.post('ada.l', ';; a note from Mattermost', root)
  await talk.threadWith(as, conversation_id, 'from Mattermost', 'a note from Mattermost')
  await team.edit('ada', 'support', inSlack, 'edited in Slack')
  await threadThere('Who answers me?', 'edited in Slack')
  // Events arrive in order, so once this one is here there are no more on their way.
  await more('the last word')
  await talk.threadWith(as, conversation_id, 'the last word')
  await threadThere('Who answers me?', 'the last word')
  await talk.allSent(as, conversation_id)
  const bodies = (await talk.bodiesOf(as, conversation_id)).map(({ body }) => body).toReversed()
  expect(bodies).toEqual([
    'Who answers me?',
    'edited in Slack',
    'from Mattermost',
    'a note from Mattermost',
    'the last word',
  ])
  const inMattermost = mattermost.thread(root).map(({ message }) => message)
  const inSlackThread = (await team.messages('support', ts)).map(({ text }) => text)
  for (const posts of [inMattermost, inSlackThread]) {
    for (const text of ['edited in Slack', 'from Mattermost', 'the last word'])
      expect(countOf(posts, text)).toBe(text === 'from Mattermost' ? 2 : 1)
  }
})

test('erasing a customer deletes our bot’s posts in both channels, and keeps what people wrote', async ({
  as,
  server,
  world,
}) => {
  await connectBoth(as)
  const { team } = slack
  const { conversation_id, customer_id, more } = await talk.write(server, world, 'My secret is a lamp')
  const { ts } = await talk.threadWith(as, conversation_id, 'My secret is a lamp')
  const { root } = await threadThere('My secret is a lamp')
  await more('and a second secret')
  await talk.threadWith(as, conversation_id, 'and a second secret')
  await threadThere('My secret is a lamp', 'and a second secret')
  await team.post('ada', 'support', 'An answer of Ada', { thread_ts: ts })
  await talk.messageWith(as, conversation_id, 'An answer of Ada')
  await threadThere('My secret is a lamp', 'An answer of Ada')
  const other = await talk.write(server, world, 'Somebody else asks for a desk')
  const { ts: others } = await talk.threadWith(as, other.conversation_id, 'Somebody else asks')
  await threadThere('Somebody else asks')
  await as.ada(erasure.erase, { params: { id: customer_id } })
  await vi.waitFor(async () => {
    const inSlackThread = JSON.stringify(await team.messages('support', ts))
    const inMattermost = JSON.stringify(mattermost.thread(root))
    for (const posts of [inSlackThread, inMattermost]) {
      expect(posts).not.toContain('secret')
      expect(posts).not.toContain('walker@visitor.test')
      expect(posts).toContain('This conversation was erased.')
    }
    expect(inSlackThread).toContain('An answer of Ada')
    expect(inMattermost).not.toContain('An answer of Ada')
  }, TIMEOUT)
  expect(JSON.stringify(await team.messages('support', others))).toContain('Somebody else asks')
  await threadThere('Somebody else asks')
})
