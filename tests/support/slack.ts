import { vi } from 'vitest'
import { slack as calls } from '#contract/integrations/slack.ts'
import { slackThreads } from '#contract/integrations/slack-threads.ts'
import { SIGNING_SECRET, SlackEmulator } from '../emulators/slack.ts'
import { type Callers, expect } from './fixture.ts'
import { Talk, TIMEOUT } from './talk.ts'

/** Two workspaces with Ada, a person unknown to Parley, and customers of Acme. */
export function startSlack(): Promise<SlackEmulator> {
  return SlackEmulator.start(teamOf('T0ACME', 'Acme'), teamOf('T0SHARED', 'Shared'))
}

/** Settings of a server that uses it. */
export function slackSettings({ url }: SlackEmulator): Record<string, string> {
  return { SLACK_API_URL: url, SLACK_SIGNING_SECRET: SIGNING_SECRET }
}

function teamOf(id: string, name: string) {
  return {
    id,
    name,
    redirect_uris: ['https://support.acme.test/integrations/slack'],
    users: [
      { name: 'ada', real_name: 'Ada Lovelace', email: 'ada@acme.test' },
      { name: 'temp', real_name: 'Temp Worker', email: 'temp@agency.test' },
      { name: 'noa', real_name: 'נועה (מ\u202eחסן) 7', email: 'noa@agency.test' },
      { name: 'nora', real_name: 'Nora Customer', email: 'nora@customer.test' },
      { name: 'otto', real_name: 'Otto Customer', email: 'otto@customer.test' },
    ],
    channels: [
      { name: 'support' },
      { name: 'customers' },
      { name: 'globex', topic: 'Everything about Globex' },
      { name: 'secret', is_private: true },
    ],
  }
}

interface ConnectOptions {
  type?: 'reply' | 'support'
  inbox_id?: string
  channel?: string
  team?: number
  /** Slack sends events by HTTP calls. */
  isCalled?: boolean
}

/** Connects a channel by tokens, as Ada. */
export async function connectSlack(
  as: Callers,
  slack: SlackEmulator,
  { type = 'reply', inbox_id, channel = 'support', team = 0, isCalled = false }: ConnectOptions = {},
): Promise<string> {
  const { bot_token, app_token, channels } = slack.teams[team]!
  const authorization = {
    type,
    inbox_id: inbox_id ?? null,
    bot_token,
    app_token: isCalled ? null : app_token,
    channel_id: channels[channel]!,
  }
  return (await as.ada(calls.connect, { body: { authorization } })).data.id
}

/** Messages on both sides, and their arrival. */
export class SlackTalk extends Talk {
  readonly #slack: SlackEmulator

  constructor(slack: SlackEmulator) {
    super()
    this.#slack = slack
  }

  /** Cleans up for the next test. */
  async end(as: Callers): Promise<void> {
    const slack = this.#slack
    slack.calls = undefined
    slack.restore()
    slack.acceptLines()
    slack.token_seconds = undefined
    slack.sent.length = 0
    await this.disconnectAll(as)
  }

  async openLine(): Promise<void> {
    await vi.waitFor(() => expect(this.#slack.openLines()).toBe(1), TIMEOUT)
  }

  /** The Slack thread of a conversation, once it contains all of these texts. */
  async threadWith(as: Callers, conversation_id: string, ...texts: string[]) {
    return vi.waitFor(async () => {
      const [thread] = (await as.ben(slackThreads.list, { query: { conversation_id } })).data
      expect(thread).toBeDefined()
      const posts = await this.#slack.team.messages('support', thread!.slack_thread_ts)
      const all = posts.map(({ text }) => text).join('\n')
      for (const text of texts) expect(all).toContain(text)
      return { ts: thread!.slack_thread_ts, posts, thread: thread! }
    }, TIMEOUT)
  }

  /** The thread of a conversation in one of its channels, once it exists. */
  async threadIn(as: Callers, conversation_id: string, channel: string): Promise<string> {
    return vi.waitFor(async () => {
      const { data } = await as.ben(slackThreads.list, { query: { conversation_id } })
      const thread = data.find(({ slack_channel_name }) => slack_channel_name === channel)
      expect(thread).toBeDefined()
      return thread!.slack_thread_ts
    }, TIMEOUT)
  }
}
