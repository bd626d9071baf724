import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { deriveId } from '#server/platform/secrets.ts'
import type { SeededRandom } from '../../bin/seed/seeded-random.ts'
import { BOT_TOKEN, type MattermostEmulator, type MattermostFault } from '../emulators/mattermost.ts'
import type { SlackEmulator, SlackFault } from '../emulators/slack.ts'
import { ACCOUNT_SID, AUTH_TOKEN, NUMBER, type Twilio } from '../emulators/twilio.ts'
import type { Fault } from '../emulators/vendor.ts'
import {
  ACCESS_TOKEN,
  APP_SECRET,
  type CallBody,
  PHONE_ID,
  signedBody,
  WABA_ID,
  type WhatsappEmulator,
} from '../emulators/whatsapp.ts'
import { callUntilAnswered, openConversation } from './clients.ts'

export interface ChaosWorld {
  url: string
  account_id: string
  db: Kysely<Database>
  chance: SeededRandom
  isAway(): boolean
  call(method: string, path: string, body?: object): ReturnType<typeof callUntilAnswered>
}

type Thread = { conversation_id: string; place: string; thread: string }

/** One vendor: how people write on both sides, what goes wrong with it, and what must be true in the end. */
export abstract class ChannelSide {
  abstract readonly name: string
  /** The name of the integration in the database. */
  protected abstract readonly integration: string
  protected readonly world: ChaosWorld
  #threads: Thread[] = []
  #reading: Promise<void> | undefined
  #calls = 0
  #faults = 0

  constructor(world: ChaosWorld) {
    this.world = world
  }

  /** Connects it, while everything still works. */
  abstract connect(): Promise<void>
  /** From here on a third of the calls fails. */
  abstract disturb(): void
  goAway(): void {}
  comeBack(): void {}
  /** The customer of a thread writes. */
  abstract write(thread: number, number: number): Promise<void>
  /** A team member replies at the vendor. */
  abstract answer(thread: number, number: number): Promise<void>
  /** Lists messages that are missing, duplicated or out of order. */
  abstract check(threads: number, count: number): Promise<string[]>

  calls(): number {
    return this.#calls
  }

  faults(): number {
    return this.#faults
  }

  /** A fault for a third of the calls, and for every call while the vendor is down. */
  protected fault<Kind>(away: Kind, kinds: Kind[]): Kind | undefined {
    const { chance, isAway } = this.world
    this.#calls++
    if (!isAway() && chance.below(3) > 0) return undefined
    this.#faults++
    return isAway() ? away : kinds[chance.below(kinds.length)]
  }

  /** The vendor's thread of a conversation, once there is one. */
  protected async findThread(isIt: (thread: Thread) => boolean): Promise<Thread> {
    for (;;) {
      const thread = this.#threads.find(isIt)
      if (thread) return thread
      this.#reading ??= this.#readThreads()
      await this.#reading
    }
  }

  async #readThreads(): Promise<void> {
    await sleep(1_000)
    const { rows } = await sql<Thread>`
      select conversation_id, place, thread from external_threads t join authorizations a on a.id = t.authorization_id
      where a.integration = ${this.integration} and t.account_id = ${this.world.account_id}`
      .execute(this.world.db)
      .catch(() => ({ rows: [] }))
    this.#threads = rows
    this.#reading = undefined
  }

  /** The text of each thread's messages in order, joined. */
  protected async spokenHere(from: 'customers' | 'team', pattern: RegExp): Promise<Map<string, string>> {
    const column = from === 'team' ? sql`user_id` : sql`customer_id`
    const { rows } = await sql<{ conversation_id: string; body: string }>`
      select conversation_id, body from messages
      where account_id = ${this.world.account_id} and ${column} is not null order by number`.execute(this.world.db)
    return joined(
      rows.map(({ conversation_id, body }) => [conversation_id, body]),
      pattern,
    )
  }

  protected compare(expected: string, actual: string | undefined, what: string): string[] {
    return actual === expected ? [] : [`${this.name}: ${what} has “${actual ?? ''}” instead of “${expected}”`]
  }
}

/** The matching words of each group, in order. */
export function joined(entries: [string, string][], pattern: RegExp): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [group, text] of entries) {
    const match = pattern.exec(text)?.[0]
    if (match) texts.set(group, [texts.get(group), match].filter(Boolean).join(', '))
  }
  return texts
}

export function allOf(word: string, thread: number, count: number): string {
  return Array.from({ length: count }, (_, number) => `${word} ${thread} ${number}`).join(', ')
}

/** Customers write in the widget, and the team replies at the vendor. */
abstract class MirrorSide extends ChannelSide {
  readonly #opened = new Map<number, { token: string; conversation_id: string }>()
  protected abstract inboxOf(thread: number): string
  protected abstract postReply(thread: Thread, text: string): Promise<void>
  /** The text that our bot wrote in each thread it started. A conversation may have only one thread. */
  protected abstract listPosts(): Promise<{ conversation_id: string; text: string }[]>

  async write(thread: number, number: number): Promise<void> {
    const { url, account_id } = this.world
    const opened = this.#opened.get(thread) ?? (await openConversation(url, account_id, this.inboxOf(thread)))
    this.#opened.set(thread, opened)
    const { token, conversation_id } = opened
    const id = deriveId(`chaos ${conversation_id} ${number}`)
    const message = { id, conversation_id, body: `question ${thread} ${number}` }
    await callUntilAnswered(url, 'POST', '/api/messages', { message }, token)
  }

  async answer(thread: number, number: number): Promise<void> {
    const isIt = ({ conversation_id }: Thread) => conversation_id === this.#opened.get(thread)?.conversation_id
    await this.postReply(await this.findThread(isIt), `answer ${thread} ${number}`)
  }

  async check(threads: number, count: number): Promise<string[]> {
    const local = await this.spokenHere('team', /answer \d+ \d+/)
    const remote = Map.groupBy(await this.listPosts(), ({ conversation_id }) => conversation_id)
    return Array.from({ length: threads }, (_, thread) => {
      const { conversation_id } = this.#opened.get(thread)!
      const roots = remote.get(conversation_id) ?? []
      return [
        ...this.compare(allOf('answer', thread, count), local.get(conversation_id), `conversation ${thread}`),
        ...this.compare(allOf('question', thread, count), roots[0]?.text, `thread ${thread}`),
        ...(roots.length > 1 ? [`${this.name}: conversation ${thread} has ${roots.length} threads`] : []),
      ]
    }).flat()
  }

  protected async makeInbox(name: string): Promise<string> {
    return (await this.world.call('POST', '/api/inboxes', { inbox: { name } })).body.data.id
  }
}

export const QUESTION = /question \d+ \d+/

export class SlackSide extends MirrorSide {
  readonly name = 'Slack'
  protected readonly integration = 'slack'
  readonly #slack: SlackEmulator
  readonly #channels: string[]
  readonly #inboxes: string[] = []

  constructor(world: ChaosWorld, slack: SlackEmulator, channels: string[]) {
    super(world)
    this.#slack = slack
    this.#channels = channels
  }

  /** Slack accepts one message a second per channel, so there are several channels. */
  async connect(): Promise<void> {
    const { bot_token, app_token, channels } = this.#slack.team
    for (const name of this.#channels) {
      const inbox_id = await this.makeInbox(`Slack ${name}`)
      const authorization = { type: 'reply', inbox_id, bot_token, app_token, channel_id: channels[name] }
      await this.world.call('POST', '/api/slack/auth', { authorization })
      this.#inboxes.push(inbox_id)
    }
  }

  disturb(): void {
    const away: SlackFault = { kind: 'status', status: 503 }
    const kinds: SlackFault[] = [
      { kind: 'status', status: 500 },
      { kind: 'status', status: 429, retryAfter: 2 },
      { kind: 'refuse', error: 'internal_error' },
      { kind: 'lose' },
    ]
    this.#slack.trouble = () => this.fault(away, kinds)
  }

  override goAway(): void {
    this.#slack.refuseLines()
  }

  override comeBack(): void {
    this.#slack.acceptLines()
  }

  protected inboxOf(thread: number): string {
    return this.#inboxes[thread % this.#inboxes.length]!
  }

  protected async postReply({ place: channelId, thread }: Thread, text: string): Promise<void> {
    const [name] = Object.entries(this.#slack.team.channels).find(([, id]) => id === channelId)!
    await this.#slack.team.post('ada', name, text, { thread_ts: thread, isNotAwaited: true })
    // Connections are cut now and then as well.
    if (this.world.chance.below(200) === 0) this.#slack.cutLines()
  }

  protected async listPosts() {
    const { team } = this.#slack
    const posts: { conversation_id: string; text: string }[] = []
    for (const channel of this.#channels) {
      for (const root of await team.messages(channel)) {
        const { conversation_id } = (root.metadata?.event_payload ?? {}) as { conversation_id?: string }
        if (!conversation_id) continue
        const all = (await team.messages(channel, root.ts)).filter(({ user }) => user === team.bot_user_id)
        const entries = joined(
          all.map(({ text }) => ['', text]),
          QUESTION,
        )
        posts.push({ conversation_id, text: entries.get('') ?? '' })
      }
    }
    return posts
  }
}

export class MattermostSide extends MirrorSide {
  readonly name = 'Mattermost'
  protected readonly integration = 'mattermost'
  readonly #mattermost: MattermostEmulator
  #inbox = ''

  constructor(world: ChaosWorld, mattermost: MattermostEmulator) {
    super(world)
    this.#mattermost = mattermost
  }

  async connect(): Promise<void> {
    this.#inbox = await this.makeInbox('Mattermost')
    const authorization = {
      inbox_id: this.#inbox,
      mattermost_url: this.#mattermost.url,
      access_token: BOT_TOKEN,
      channel_id: this.#mattermost.support.id,
    }
    await this.world.call('POST', '/api/mattermost/auth', { authorization })
  }

  disturb(): void {
    const kinds: MattermostFault[] = [{ status: 500 }, { status: 502 }, { status: 429 }, { kind: 'lose' }]
    this.#mattermost.trouble = () => this.fault({ status: 503 }, kinds)
  }

  override goAway(): void {
    this.#mattermost.refuseLines()
  }

  override comeBack(): void {
    this.#mattermost.acceptLines()
  }

  protected inboxOf(): string {
    return this.#inbox
  }

  protected async postReply({ thread }: Thread, text: string): Promise<void> {
    this.#mattermost.post('ada', text, thread)
    if (this.world.chance.below(200) === 0) this.#mattermost.cutLines()
  }

  protected async listPosts() {
    const bot = this.#mattermost.users.get('parley')!.id
    return this.#mattermost.roots().map(({ id, props }) => {
      const all = this.#mattermost.thread(id).filter(({ user_id }) => user_id === bot)
      const entries = joined(
        all.map(({ message }) => ['', message]),
        QUESTION,
      )
      return { conversation_id: String(props.parley_conversation_id), text: entries.get('') ?? '' }
    })
  }
}

/** Customers write from their phones, and the team replies in the dashboard. Twilio is polled every minute. */
export class TwilioSide extends ChannelSide {
  readonly name = 'Twilio'
  protected readonly integration = 'twilio'
  readonly #twilio: Twilio

  constructor(world: ChaosWorld, twilio: Twilio) {
    super(world)
    this.#twilio = twilio
  }

  async connect(): Promise<void> {
    const authorization = { twilio_account_sid: ACCOUNT_SID, twilio_auth_token: AUTH_TOKEN, from_phone_number: NUMBER }
    await this.world.call('POST', '/api/twilio/auth', { authorization })
  }

  disturb(): void {
    const kinds: Fault[] = [
      { kind: 'fail', answer: { status: 500, body: {} } },
      { kind: 'fail', answer: { status: 429, body: {}, headers: { 'retry-after': '2' } } },
      { kind: 'fail after', answer: { status: 502, body: {} } },
      { kind: 'lose' },
    ]
    this.#twilio.disturb(() => this.fault(kinds[0]!, kinds))
  }

  async write(thread: number, number: number): Promise<void> {
    await this.#twilio.receive(numberOf(thread), { body: `question ${thread} ${number}` })
  }

  async answer(thread: number, number: number): Promise<void> {
    const conversation_id = await this.#conversationOf(thread)
    const id = deriveId(`chaos ${conversation_id} ${number}`)
    await this.world.call('POST', '/api/messages', {
      message: { id, conversation_id, body: `answer ${thread} ${number}` },
    })
  }

  async check(threads: number, count: number): Promise<string[]> {
    const local = await this.spokenHere('customers', QUESTION)
    const sent = (await this.#twilio.sent()).map(({ to, body }): [string, string] => [to, body])
    const remote = joined(sent, /answer \d+ \d+/)
    const conversations = await Promise.all(
      Array.from({ length: threads }, (_, thread) => this.#conversationOf(thread)),
    )
    return conversations.flatMap((conversation_id, thread) => [
      ...this.compare(allOf('question', thread, count), local.get(conversation_id), `conversation ${thread}`),
      ...this.compare(allOf('answer', thread, count), remote.get(numberOf(thread)), `number ${thread}`),
    ])
  }

  async #conversationOf(thread: number): Promise<string> {
    return (await this.findThread(({ place: phoneNumber }) => phoneNumber === numberOf(thread))).conversation_id
  }
}

function numberOf(thread: number): string {
  return `+1202555${1000 + thread}`
}

/** Customers write over WhatsApp, and the team replies here. Meta reports each message, and repeats every call. */
export class WhatsappSide extends ChannelSide {
  readonly name = 'WhatsApp'
  protected readonly integration = 'whatsapp'
  readonly #whatsapp: WhatsappEmulator

  constructor(world: ChaosWorld, whatsapp: WhatsappEmulator) {
    super(world)
    this.#whatsapp = whatsapp
  }

  async connect(): Promise<void> {
    const ids = { phone_number_id: PHONE_ID, business_account_id: WABA_ID }
    const authorization = { ...ids, app_secret: APP_SECRET, access_token: ACCESS_TOKEN }
    await this.world.call('POST', '/api/whatsapp/auth', { authorization })
    this.#whatsapp.onSent((message) => this.#report(this.#whatsapp.becomes(message, 'sent')))
  }

  disturb(): void {
    const kinds: Fault[] = [
      { kind: 'fail', answer: { status: 500, body: {} } },
      { kind: 'fail', answer: { status: 429, body: {}, headers: { 'retry-after': '2' } } },
      { kind: 'fail after', answer: { status: 502, body: {} } },
      { kind: 'lose' },
    ]
    this.#whatsapp.disturb(() => this.fault(kinds[0]!, kinds))
  }

  async write(thread: number, number: number): Promise<void> {
    const text = { body: `question ${thread} ${number}` }
    await this.#report(this.#whatsapp.say({ number: digitsOf(thread) }, { type: 'text', text }))
  }

  async answer(thread: number, number: number): Promise<void> {
    const conversation_id = await this.#conversationOf(thread)
    const id = deriveId(`chaos ${conversation_id} ${number}`)
    await this.world.call('POST', '/api/messages', {
      message: { id, conversation_id, body: `answer ${thread} ${number}` },
    })
  }

  async check(threads: number, count: number): Promise<string[]> {
    const local = await this.spokenHere('customers', QUESTION)
    const sent = this.#whatsapp.sent.map(({ to, json }): [string, string] => [to, (json.text as { body: string }).body])
    const remote = joined(sent, /answer \d+ \d+/)
    const conversations = await Promise.all(
      Array.from({ length: threads }, (_, thread) => this.#conversationOf(thread)),
    )
    return conversations.flatMap((conversation_id, thread) => [
      ...this.compare(allOf('question', thread, count), local.get(conversation_id), `conversation ${thread}`),
      ...this.compare(allOf('answer', thread, count), remote.get(digitsOf(thread)), `number ${thread}`),
    ])
  }

  async #conversationOf(thread: number): Promise<string> {
    return (await this.findThread(({ place: phoneNumber }) => phoneNumber === `+${digitsOf(thread)}`)).conversation_id
  }

  /** Meta repeats a call until it is answered, and some that were. */
  async #report(call: CallBody): Promise<void> {
    const { url, account_id } = this.world
    const { text: body, signature } = signedBody(call)
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
    for (let answered = 0; answered < 2; ) {
      const answer = await fetch(`${url}/api/whatsapp/webhook?account=${account_id}`, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(8_000),
      }).catch(() => undefined)
      if (answer?.ok) answered++
      else await sleep(50)
    }
  }
}

function digitsOf(thread: number): string {
  return `491570000${1000 + thread}`
}
