import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, vi } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { mailbox } from '#contract/integrations/mailbox.ts'
import { mattermost as mattermostCalls } from '#contract/integrations/mattermost.ts'
import { health } from '#contract/operations/health.ts'
import { MAILBOX_PASSWORD, MAILBOX_USER, plainMail, startImapServer } from './emulators/imap-server.ts'
import { BOT_TOKEN, MattermostEmulator } from './emulators/mattermost.ts'
import { test as base, type Callers, expect } from './support/fixture.ts'
import { startMailServer } from './support/mail-server.ts'
import { threadWith } from './support/mattermost.ts'
import type { TestServer } from './support/server.ts'
import { connectSlack, SlackTalk, slackSettings, startSlack } from './support/slack.ts'
import { TIMEOUT } from './support/talk.ts'
import type { World } from './support/world.ts'

const [slack, mattermost, imap, smtp] = await Promise.all([
  startSlack(),
  MattermostEmulator.start([{ username: 'ada', email: 'ada@acme.test' }]),
  startImapServer(),
  startMailServer(),
])
afterAll(() => Promise.all([slack.close(), mattermost.close(), imap.close(), smtp.close()]))

/** Short, but long enough that a busy machine does not miss a sign of life. */
const timing = {
  greeting: 2_000,
  silence: 4_000,
  ping: 1_500,
  answer: 2_000,
  firstWait: 200,
  longestWait: 1_000,
  holds: 6_000,
  unreliable: 300_000,
}
const LONGER_THAN_ALL = Math.max(timing.greeting, timing.silence, 2 * timing.ping, timing.answer) + 2_000

const test = base
  .extend('env', { scope: 'file' }, { ...slackSettings(slack), REACHABLE_HOSTS: '127.0.0.1' })
  .extend('extra', { scope: 'file' }, { timing })

const talk = new SlackTalk(slack)
test.afterEach(async ({ as }) => {
  for (const emulator of [slack, mattermost, imap]) emulator.acceptLines()
  await talk.end(as)
})

interface Scene {
  as: Callers
  server: TestServer
  world: World
}

interface LiveVendor {
  lines: { openLines(): number; cutLines(): void; refuseLines(): void; acceptLines(): void; silenceLines(): void }
  /** How many connections were opened so far. */
  opened(): number
  connect(scene: Scene): Promise<Conversation>
}

/** Writes from the other system into a conversation here. */
interface Conversation {
  say(text: string): Promise<unknown> | unknown
  arrives(text: string): Promise<unknown>
}

const VENDORS: Record<string, LiveVendor> = {
  Slack: {
    lines: slack,
    opened: () => slack.requestsTo('apps.connections.open').length,
    async connect({ as, server, world }) {
      await connectSlack(as, slack)
      const { conversation_id } = await talk.write(server, world, 'Hello')
      const { ts } = await talk.threadWith(as, conversation_id, 'Hello')
      return {
        say: (text) => slack.team.post('ada', 'support', text, { thread_ts: ts }),
        arrives: (text) => talk.messageWith(as, conversation_id, text),
      }
    },
  },
  Mattermost: {
    lines: mattermost,
    opened: () => mattermost.linesOpened,
    async connect({ as, server, world }) {
      const authorization = {
        mattermost_url: mattermost.url,
        access_token: BOT_TOKEN,
        channel_id: mattermost.support.id,
      }
      await as.ada(mattermostCalls.connect, { body: { authorization } })
      const hello = `Hello ${mattermost.linesOpened}`
      const { conversation_id } = await talk.write(server, world, hello)
      const { root } = await threadWith(mattermost, hello)
      return {
        say: (text) => mattermost.post('ada', text, root),
        arrives: (text) => talk.messageWith(as, conversation_id, text),
      }
    },
  },
  IMAP: {
    lines: imap,
    opened: () => imap.linesOpened(),
    async connect({ as, world }) {
      const host = { imap_host: '127.0.0.1', imap_port: imap.port, imap_security: 'none' as const }
      const out = {
        smtp_host: '127.0.0.1',
        smtp_port: Number(new URL(smtp.url).port),
        smtp_security: 'none' as const,
      }
      const authorization = { inbox_id: world.billing.id, address: MAILBOX_USER, password: MAILBOX_PASSWORD }
      await as.ada(mailbox.connect, { body: { authorization: { ...authorization, ...host, ...out } } })
      const from = (text: string) => `${text.replaceAll(' ', '.')}@customer.test`
      return {
        say: (text) => imap.deliverMail(plainMail({ from: from(text), subject: text, text })),
        arrives: (text) =>
          vi.waitFor(async () => {
            const { data } = await as.ben(conversations.list, { query: { limit: 50 } as never })
            expect(data.map(({ subject }) => subject)).toContain(text)
          }, TIMEOUT),
      }
    },
  },
}

const cases = Object.entries(VENDORS)
const shown = async (as: Callers) => (await as.ada(integrations.list)).data[0]!
const isOpen = ({ lines }: LiveVendor) => vi.waitFor(() => expect(lines.openLines()).toBe(1), TIMEOUT)
const isReopened = (vendor: LiveVendor, before: number) =>
  vi.waitFor(() => {
    expect(vendor.opened()).toBeGreaterThan(before)
    expect(vendor.lines.openLines()).toBe(1)
  }, TIMEOUT)

test.for(cases)(
  'a live connection to %s stays open for longer than each of its time limits',
  async ([, vendor], { as, server, world }) => {
    const { say, arrives } = await vendor.connect({ as, server, world })
    await isOpen(vendor)
    await say('before')
    await arrives('before')
    const opened = vendor.opened()
    await sleep(LONGER_THAN_ALL)
    await say('still the same connection')
    await arrives('still the same connection')
    expect(vendor.opened()).toBe(opened)
    expect(await shown(as)).toMatchObject({ state: 'connected', problem: null })
  },
)

test.for(cases)(
  'a live connection to %s that is refused is shown until it is open, and nothing is lost',
  async ([, vendor], { as, server, world }) => {
    const { say, arrives } = await vendor.connect({ as, server, world })
    await isOpen(vendor)
    await say('before')
    await arrives('before')
    vendor.lines.refuseLines()
    await say('meanwhile')
    await vi.waitFor(
      async () => expect(await shown(as)).toMatchObject({ state: 'failing', problem: expect.any(String) }),
      TIMEOUT,
    )
    // Both are read in turn, and the reason may change in between.
    await vi.waitFor(async () => {
      const { problem } = await shown(as)
      expect((await as.ada(health.report)).data.connections).toMatchObject([{ state: 'failing', problem }])
    }, TIMEOUT)
    vendor.lines.acceptLines()
    await arrives('meanwhile')
    await vi.waitFor(async () => expect(await shown(as)).toMatchObject({ state: 'connected', problem: null }), TIMEOUT)
    expect((await as.ada(health.report)).data.connections).toEqual([])
  },
)

test.for(cases)(
  'a live connection to %s that is lost without notice is replaced, and nothing is lost',
  async ([, vendor], { as, server, world }) => {
    const { say, arrives } = await vendor.connect({ as, server, world })
    await isOpen(vendor)
    const opened = vendor.opened()
    vendor.lines.silenceLines()
    await say('into the void')
    await arrives('into the void')
    await isReopened(vendor, opened)
  },
)

test.for(cases)(
  'an unreliable live connection to %s is shown with its reason until it holds again',
  async ([, vendor], { as, server, world }) => {
    const { say, arrives } = await vendor.connect({ as, server, world })
    await isOpen(vendor)
    for (const text of ['one', 'two', 'three']) {
      const opened = vendor.opened()
      vendor.lines.cutLines()
      await isReopened(vendor, opened)
      await say(text)
      await arrives(text)
    }
    await vi.waitFor(
      async () =>
        expect(await shown(as)).toMatchObject({
          state: 'failing',
          problem: expect.stringMatching(/^It was interrupted \d times within ten minutes. The last reason: \w/),
        }),
      TIMEOUT,
    )
    await vi.waitFor(async () => expect(await shown(as)).toMatchObject({ state: 'connected', problem: null }), TIMEOUT)
  },
)

test('Slack replaces its live connection regularly, which loses nothing and is no problem', async ({
  as,
  server,
  world,
}) => {
  const { say, arrives } = await VENDORS.Slack!.connect({ as, server, world })
  await isOpen(VENDORS.Slack!)
  for (const text of ['one', 'two', 'three', 'four']) {
    const opened = VENDORS.Slack!.opened()
    slack.refresh()
    await isReopened(VENDORS.Slack!, opened)
    await say(text)
    await arrives(text)
  }
  // Slack may close the old one before the next one is open.
  const opened = VENDORS.Slack!.opened()
  slack.refresh()
  slack.cutLines()
  await say('in between')
  await arrives('in between')
  await isReopened(VENDORS.Slack!, opened)
  expect(await shown(as)).toMatchObject({ state: 'connected', problem: null })
})
