import { afterAll, vi } from 'vitest'
import { deliveries } from '#contract/connections/deliveries.ts'
import { messages } from '#contract/conversations/messages.ts'
import { erasure } from '#contract/customers/erasure.ts'
import { mattermost as mattermostCalls } from '#contract/integrations/mattermost.ts'
import { BOT_TOKEN, MattermostEmulator } from '#tests/emulators/mattermost.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import { passTime } from '#tests/support/pass-time.ts'
import { connectSlack, slackSettings, startSlack } from '#tests/support/slack.ts'
import { Talk, TIMEOUT } from '#tests/support/talk.ts'

const slack = await startSlack()
const mattermost = await MattermostEmulator.start([{ username: 'ada', email: 'ada@acme.test' }])
const talk = new Talk()
afterAll(() => Promise.all([slack.close(), mattermost.close()]))
const test = base.extend('env', { scope: 'file' }, { ...slackSettings(slack), REACHABLE_HOSTS: '127.0.0.1' })
test.afterEach(({ as }) => talk.disconnectAll(as))

interface Vendor {
  name: string
  connect(as: Callers): Promise<unknown>
  /** The next post is created, and answered once this is released. */
  hold(): () => void
  /** The next post is created, but its answer is lost. */
  lose(): void
  /** The text of all posts in the channel. */
  readPosts(): Promise<string>
}

const VENDORS: Vendor[] = [
  {
    name: 'Slack',
    connect: (as) => connectSlack(as, slack),
    hold: () => slack.holdAnswer('chat.postMessage'),
    lose: () => slack.lose('chat.postMessage'),
    async readPosts() {
      const roots = await slack.team.messages('support')
      const threads = await Promise.all(roots.map(({ ts }) => slack.team.messages('support', ts)))
      return JSON.stringify([roots, threads])
    },
  },
  {
    name: 'Mattermost',
    connect: (as) =>
      as.ada(mattermostCalls.connect, {
        body: {
          authorization: {
            mattermost_url: mattermost.url,
            access_token: BOT_TOKEN,
            channel_id: mattermost.support.id,
          },
        },
      }),
    hold: () => mattermost.holdAnswer('POST /posts'),
    lose: () => mattermost.lose('POST /posts'),
    readPosts: async () => JSON.stringify([...mattermost.posts.values()].filter(({ delete_at }) => !delete_at)),
  },
]

const forBoth = test.for(VENDORS)
const ERASED = 'This conversation was erased.'

const expectPost = (vendor: Vendor, text: string) =>
  vi.waitFor(async () => expect(await vendor.readPosts()).toContain(text), TIMEOUT)
const isTakenBack = (vendor: Vendor, erased: number, pattern: RegExp) =>
  vi.waitFor(async () => {
    const posts = await vendor.readPosts()
    expect(posts).not.toMatch(pattern)
    expect(posts.split(ERASED).length - 1).toBeGreaterThanOrEqual(erased)
  }, TIMEOUT)
const erase = (as: Callers, id: string) => as.ada(erasure.erase, { params: { id } })

forBoth('a delivery to $name in progress during an erasure is deleted there', async (vendor, { as, server, world }) => {
  await vendor.connect(as)
  const releaseRoot = vendor.hold()
  const first = await talk.write(server, world, 'The first secret')
  await expectPost(vendor, 'The first secret')
  await erase(as, first.customer_id)
  releaseRoot()
  await isTakenBack(vendor, 1, /secret/)

  const second = await talk.write(server, world, 'The second secret')
  await talk.allSent(as, second.conversation_id)
  const releaseAnswer = vendor.hold()
  await talk.answer(as, second.conversation_id, 'Your secret is safe')
  await expectPost(vendor, 'Your secret is safe')
  await erase(as, second.customer_id)
  releaseAnswer()
  await isTakenBack(vendor, 2, /secret/)
})

forBoth(
  'a delivery that may have arrived in $name is searched for and deleted',
  async (vendor, { as, server, world }) => {
    await vendor.connect(as)
    const lost = await talk.write(server, world, 'A lost secret')
    await talk.allSent(as, lost.conversation_id)
    vendor.lose()
    const { id } = await talk.answer(as, lost.conversation_id, 'Its answer is a secret')
    await vi.waitFor(
      async () =>
        expect(await stateOf(as, lost.conversation_id, id)).toMatchObject({ tries: 1, problem: expect.any(String) }),
      TIMEOUT,
    )
    await erase(as, lost.customer_id)
    await passTime(server)
    await isTakenBack(vendor, 1, /secret/)
  },
)

forBoth('the name in $name is removed even if the first message was deleted', async (vendor, { as, server, world }) => {
  await vendor.connect(as)
  const { conversation_id, customer_id } = await talk.write(server, world, 'To be deleted')
  await talk.allSent(as, conversation_id)
  const [first] = await talk.bodiesOf(as, conversation_id)
  await as.ada(messages.remove, { params: { id: first!.id } })
  await vi.waitFor(async () => expect(await vendor.readPosts()).not.toContain('To be deleted'), TIMEOUT)
  await expectPost(vendor, 'Walker')
  await erase(as, customer_id)
  await isTakenBack(vendor, 1, /Walker/)
})

async function stateOf(as: Callers, conversation_id: string, message_id: string) {
  const { data } = await as.ben(deliveries.ofConversation, { params: { conversation_id } })
  return data.find((delivery) => delivery.message_id === message_id)
}
