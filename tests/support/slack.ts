import { vi } from 'vitest'
import { deliveries } from '#contract/deliveries.ts'
import { integrations } from '#contract/integrations.ts'
import { messages } from '#contract/messages.ts'
import { slack as calls } from '#contract/slack.ts'
import { slackThreads } from '#contract/slack-threads.ts'
import { wakeSender } from '#server/features/deliveries/sender.ts'
import { inboundOf } from '#server/features/inbound/process.ts'
import { SIGNING_SECRET, SlackEmulator } from '../emulators/slack.ts'
import { type Callers, expect } from './fixture.ts'
import type { TestServer } from './server.ts'
import { startConversation, startVisitor, type World } from './world.ts'

/** Two workspaces with Ada, somebody who is unknown to Parley, and customers of Acme. */
export function startSlack(): Promise<SlackEmulator> {
  return SlackEmulator.start(teamOf('T0ACME', 'Acme'), teamOf('T0SHARED', 'Shared'))
}

/** Settings of a server that speaks to it. */
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

interface Wish {
  type?: 'reply' | 'support'
  inbox_id?: string
  channel?: string
  team?: number
  /** Slack calls us. */
  isCalled?: boolean
}

/** Connects a channel as Ada does it by tokens. */
export async function connectSlack(
  as: Callers,
  slack: SlackEmulator,
  { type = 'reply', inbox_id, channel = 'support', team = 0, isCalled = false }: Wish = {},
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

export const PATIENCE = { timeout: 40_000, interval: 100 }

/** What people say on both sides, and how it arrives. */
export class SlackTalk {
  readonly #slack: SlackEmulator

  constructor(slack: SlackEmulator) {
    this.#slack = slack
  }

  /** Leaves nothing behind for the next test. */
  async end(as: Callers): Promise<void> {
    const slack = this.#slack
    slack.calls = undefined
    slack.restore()
    slack.acceptLines()
    slack.told.length = 0
    for (const { id } of (await as.ada(integrations.list)).data) {
      await as.ada(integrations.remove, { params: { id }, query: { discard: 'true' } })
    }
  }

  async openLine(): Promise<void> {
    await vi.waitFor(() => expect(this.#slack.openLines()).toBe(1), PATIENCE)
  }

  /** A visitor writes, and may go on. */
  async write(server: TestServer, world: World, ...bodies: string[]) {
    const visitor = await startVisitor(server, world.acme.id, { name: 'Walker', email: 'walker@visitor.test' })
    const { conversation_id } = await startConversation(server, visitor, bodies[0])
    const more = async (body: string) => {
      const message = { conversation_id, body }
      await server.request('POST', '/api/messages', { token: visitor.token, body: { message } })
    }
    for (const body of bodies.slice(1)) await more(body)
    return { conversation_id, more, customer_id: visitor.customer_id }
  }

  async answer(as: Callers, conversation_id: string, body: string, more: object = {}) {
    return (await as.ada(messages.create, { body: { message: { conversation_id, body, ...more } } as never })).data
  }

  /** The thread of a conversation in Slack, once it says all of this. */
  async threadWith(as: Callers, conversation_id: string, ...texts: string[]) {
    return vi.waitFor(async () => {
      const [found] = (await as.ben(slackThreads.list, { query: { conversation_id } })).data
      expect(found).toBeDefined()
      const said = await this.#slack.team.messages('support', found!.slack_thread_ts)
      const all = said.map(({ text }) => text).join('\n')
      for (const text of texts) expect(all).toContain(text)
      return { ts: found!.slack_thread_ts, said, found: found! }
    }, PATIENCE)
  }

  /** The thread of a conversation in one of its channels, once it is there. */
  async threadIn(as: Callers, conversation_id: string, channel: string): Promise<string> {
    return vi.waitFor(async () => {
      const { data } = await as.ben(slackThreads.list, { query: { conversation_id } })
      const found = data.find(({ slack_channel_name }) => slack_channel_name === channel)
      expect(found).toBeDefined()
      return found!.slack_thread_ts
    }, PATIENCE)
  }

  async bodiesOf(as: Callers, conversation_id: string) {
    const { data } = await as.ben(messages.list, { query: { conversation_id } as never })
    return data as {
      id: string
      body: string | null
      private: boolean
      user_id: number | null
      customer_id: string | null
      metadata: Record<string, unknown> | null
      attachments: { filename: string }[]
    }[]
  }

  /** The message of a conversation that says this, once it is there. */
  async saying(as: Callers, conversation_id: string, body: string) {
    return vi.waitFor(async () => {
      const found = (await this.bodiesOf(as, conversation_id)).find((one) => one.body === body)
      expect(found).toBeDefined()
      return found!
    }, PATIENCE)
  }

  async statesOf(as: Callers, conversation_id: string) {
    const { data } = await as.ben(deliveries.ofConversation, { params: { conversation_id } })
    return data.filter(({ kind }) => kind === 'post').map(({ state, problem }) => ({ state, problem }))
  }

  async allSent(as: Callers, conversation_id: string): Promise<void> {
    await vi.waitFor(async () => {
      const states = await this.statesOf(as, conversation_id)
      expect(states.length).toBeGreaterThan(0)
      expect(states.filter(({ state }) => state !== 'sent')).toEqual([])
    }, PATIENCE)
  }

  /** Whatever waits for another try is due, and nothing rests. */
  async passTime({ context }: TestServer): Promise<void> {
    const ago = new Date(Date.now() - 60_000).toISOString()
    await context.db
      .updateTable('deliveries')
      .set({ not_before: ago, taken_until: null })
      .where('state', '=', 'waiting')
      .execute()
    await context.db.updateTable('inbound_events').set({ not_before: ago }).where('state', '=', 'waiting').execute()
    await context.db.updateTable('authorizations').set({ paused_until: null }).execute()
    wakeSender(context)
    inboundOf(context).wake()
  }
}
