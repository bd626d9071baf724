import { sql } from 'kysely'
import { deriveId } from '#server/platform/secrets.ts'
import { BOT_ID, BOT_TOKEN, refused, type Telegram } from '../emulators/telegram.ts'
import type { Fault } from '../emulators/vendor.ts'
import { allOf, ChannelSide, type ChaosWorld, joined, QUESTION } from './channel-sides.ts'

/**
 * Customers write to a bot, and the team replies in the dashboard. Telegram lists no sent messages: what may have arrived is
 * shown to the team instead of being repeated.
 */
export class TelegramSide extends ChannelSide {
  readonly name = 'Telegram'
  protected readonly integration = 'telegram'
  readonly #telegram: Telegram

  constructor(world: ChaosWorld, telegram: Telegram) {
    super(world)
    this.#telegram = telegram
  }

  async connect(): Promise<void> {
    await this.world.call('POST', '/api/telegram/connections', { connection: { token: BOT_TOKEN } })
  }

  disturb(): void {
    const kinds: Fault[] = [
      { kind: 'fail', answer: refused(500, 'Internal Server Error') },
      { kind: 'fail', answer: refused(429, 'Too Many Requests: retry after 2', { retry_after: 2 }) },
      { kind: 'fail after', answer: { status: 502, body: '<html>Bad Gateway</html>' } },
      { kind: 'lose' },
    ]
    this.#telegram.disturb(() => this.fault(kinds[0]!, kinds))
  }

  async write(thread: number, number: number): Promise<void> {
    this.#telegram.say({ id: chatOf(thread), first_name: `Customer ${thread}` }, `question ${thread} ${number}`)
  }

  async answer(thread: number, number: number): Promise<void> {
    const conversation_id = await this.#conversationOf(thread)
    const id = deriveId(`chaos ${conversation_id} ${number}`)
    await this.world.call('POST', '/api/messages', {
      message: { id, conversation_id, body: `answer ${thread} ${number}` },
    })
  }

  /** Each reply is there once and in order, or stands visibly unsent, perhaps both; none is neither. */
  async check(threads: number, count: number): Promise<string[]> {
    const local = await this.spokenHere('customers', QUESTION)
    const sent = this.#telegram.sent.map(({ chat_id, text }): [string, string] => [chat_id, text ?? ''])
    const remote = joined(sent, /answer \d+ \d+/)
    const unsent = await this.#listUnsent()
    const problems: string[] = []
    for (let thread = 0; thread < threads; thread++) {
      const conversation_id = await this.#conversationOf(thread)
      const arrived = (remote.get(String(chatOf(thread))) ?? '').split(', ').filter(Boolean)
      const answers = allOf('answer', thread, count).split(', ')
      const shown = answers.filter((answer) => arrived.includes(answer) || unsent.has(answer))
      problems.push(
        ...this.compare(allOf('question', thread, count), local.get(conversation_id), `conversation ${thread}`),
        ...this.compare(answers.join(', '), shown.join(', '), `what is in chat ${thread} or visibly unsent`),
        ...this.compare(
          answers.filter((answer) => arrived.includes(answer)).join(', '),
          arrived.join(', '),
          `chat ${thread}`,
        ),
      )
    }
    return problems
  }

  /** The texts of replies that the team sees as not sent, with the reason. */
  async #listUnsent(): Promise<Set<string>> {
    const { rows } = await sql<{ body: string }>`
      select m.body from deliveries d join messages m on m.account_id = d.account_id and m.id = d.message_id
      where d.account_id = ${this.world.account_id} and d.integration = 'telegram' and d.state = 'failed'
        and d.problem is not null`.execute(this.world.db)
    return new Set(rows.map(({ body }) => body))
  }

  async #conversationOf(thread: number): Promise<string> {
    return (await this.findThread(({ place: chat }) => chat === `${BOT_ID} ${chatOf(thread)}`)).conversation_id
  }
}

function chatOf(thread: number): number {
  return 6_000_000_000 + thread
}
