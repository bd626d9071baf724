import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { Db } from '#server/platform/db/change.ts'

const PAUSE_MS = 2_000
const RETRY_MS = 1_000
const SETTLE_MS = 300_000

/** Customers who write to a company by mail, one mail each, at both servers in turn, until `end` is called. */
export class HonestMails {
  readonly #ports: number[]
  readonly #address: string
  readonly #acknowledged: string[] = []
  readonly #waits: number[] = []
  #isOver = false
  #writing: Promise<void> | undefined

  constructor(ports: number[], address: string) {
    this.#ports = ports
    this.#address = address
  }

  start(): void {
    this.#writing = this.#write()
  }

  /** Returns the senders whose mails were acknowledged, and how many milliseconds each was tried. */
  async end() {
    this.#isOver = true
    await this.#writing
    return { acknowledged: this.#acknowledged, waits: this.#waits }
  }

  async #write(): Promise<void> {
    for (let number = 0; !this.#isOver; number++) {
      const from = `honest-${number}@customer.invalid`
      const started = performance.now()
      while (!(await this.#send(from, number))) {
        if (this.#isOver) return
        await sleep(RETRY_MS)
      }
      this.#acknowledged.push(from)
      this.#waits.push(performance.now() - started)
      await sleep(PAUSE_MS)
    }
  }

  /** Whether the mail was acknowledged; as a mail server does, the sender tries again later. */
  async #send(from: string, number: number): Promise<boolean> {
    const port = this.#ports[number % this.#ports.length]!
    const transport = createTransport({
      host: '127.0.0.1',
      port,
      localAddress: '127.0.4.1',
      ignoreTLS: true,
      socketTimeout: 60_000,
    })
    const mail = { from, to: this.#address, subject: 'Help', text: `From ${from}`, messageId: `<${from}>` }
    return transport
      .sendMail(mail)
      .then(
        () => true,
        () => false,
      )
      .finally(() => transport.close())
  }
}

/** Waits until no mail waits to be processed, at most five minutes. Returns how many still do. */
export async function waitForMails(db: Db): Promise<number> {
  for (const deadline = Date.now() + SETTLE_MS; ; await sleep(1_000)) {
    const { count } = await db
      .selectFrom('inbound_events')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow()
    if (Number(count) === 0 || Date.now() > deadline) return Number(count)
  }
}

/** What became of the mails of these senders: each must be a message once, or be set aside. */
export async function judgeMails(db: Db, senders: string[]) {
  const bodies = await db.selectFrom('messages').select('body').where('source', '=', 'email').execute()
  const events = await db.selectFrom('inbound_events').select(['queue', 'state']).execute()
  const stored = Map.groupBy(bodies, ({ body }) => body?.trim())
  const setAside = new Set(events.flatMap(({ queue, state }) => (state === 'failed' ? [queue] : [])))
  const faults: string[] = []
  let asides = 0
  for (const from of senders) {
    const count = stored.get(`From ${from}`)?.length ?? 0
    if (count > 1) faults.push(`the mail of ${from} is stored ${count} times`)
    if (count > 0) continue
    if (setAside.has(`mail ${from}`)) asides++
    else faults.push(`the mail of ${from} was acknowledged, and is neither a message nor set aside`)
  }
  return { asides, faults }
}
