import { connect as connectTo, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { createTransport } from 'nodemailer'
import pino from 'pino'
import { SMTPServer } from 'smtp-server'
import { connect } from '#server/platform/db/connection.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { deriveId } from '#server/platform/secrets.ts'
import { freePort, ServerProcess } from '#tests/support/server-process.ts'
import { SeededRandom } from '../../bin/seed/seeded-random.ts'
import { callUntilAnswered, register } from './clients.ts'
import { inParallel } from './in-parallel.ts'
import { seconds } from './seconds.ts'

interface Run {
  dataDir: string
  /** Each writes five mails in one thread, and gets five replies. */
  customers: number
  kills: number
  log: (line: string) => void
}

const MAILS_EACH = 5
const WRITERS = 10
const TIMEOUT_MS = 1_800_000

/**
 * Mails arrive over connections that are cut, some of them twice, and replies leave through a mail server that refuses
 * for a while or hangs up after accepting a mail, while our server is killed. Then counts what is missing, duplicated
 * or out of order.
 */
export async function mailThroughFaults({ dataDir, customers, kills, log }: Run): Promise<string[]> {
  const chance = new SeededRandom(20_261_122)
  const out = await startFaultyMailServer(chance)
  const [mailPort, relayPort] = [await freePort(), await freePort()]
  const env = {
    MAIL_IN_DOMAIN: 'in.chaos.test',
    MAIL_IN_PORT: String(mailPort),
    SMTP_URL: `smtp://127.0.0.1:${out.port}`,
  }
  const server = new ServerProcess(await freePort(), dataDir, env)
  const { url, database } = await server.start()
  const relay = await startCuttingRelay(relayPort, mailPort, chance)
  const connection = connect(database, pino({ level: 'silent' }))
  const db = connection.kysely
  try {
    const { token, address } = await setUp(url)
    // Some while mails arrive, the others while replies leave.
    const early = Math.ceil(kills / 2)
    const stopEarly = killNowAndThen(server, early, log)
    const started = Date.now()
    await inParallel(WRITERS, customers, async (at) => {
      for (let number = 0; number < MAILS_EACH; number++) await sendUntilTaken(relayPort, address, at, number, chance)
    })
    log(`${customers * MAILS_EACH} mails were acknowledged in ${seconds(started)} s, ${relay.cuts()} lines cut.`)
    const threads = await waitFor(
      () => listThreads(db),
      (listed) => listed.length === customers * MAILS_EACH,
    )
    const conversations = [...new Set(threads.map(({ conversation_id }) => conversation_id))]
    await stopEarly()
    const stopLate = killNowAndThen(server, kills - early, log)
    const answering = Date.now()
    await inParallel(WRITERS, conversations.length, async (at) => {
      for (let number = 0; number < MAILS_EACH; number++) await answer(url, token, conversations[at]!, number)
    })
    const sent = await waitFor(
      () => shortenWaits(db).then(() => countSent(db)),
      (count) => count === conversations.length * MAILS_EACH,
    )
    await stopLate()
    log(
      `${sent} answers left in ${seconds(answering)} s; ${out.refusals()} were refused, ${out.hangUps()} ended in silence.`,
    )
    return [...checkIncoming(threads, customers), ...checkOutgoing(out.taken, conversations)]
  } finally {
    await connection.end()
    relay.server.close()
    out.close()
    await server.stop()
  }
}

async function setUp(url: string): Promise<{ token: string; address: string }> {
  const { token } = await register(url, 'mail@acme.test')
  const forwarding_address = { source_email_address: 'support@chaos.test' }
  const made = await callUntilAnswered(url, 'POST', '/api/forwarding_addresses', { forwarding_address }, token)
  return { token, address: made.body.data.forwarding_email_address }
}

/** Kills the server again and again, until it was killed this often or `stop` is called. */
function killNowAndThen(server: ServerProcess, kills: number, log: Run['log']): () => Promise<void> {
  let isStopped = false
  const killing = (async () => {
    for (let i = 0; i < kills && !isStopped; i++) {
      await sleep(4_000)
      if (isStopped) return
      await server.killAndRestart()
      log(`Kill ${i + 1} of ${kills}.`)
    }
  })()
  return async () => {
    isStopped = true
    await killing
  }
}

/** As a mail server does: retries until the mail is accepted, and sometimes sends it once more. */
async function sendUntilTaken(port: number, to: string, customer: number, number: number, chance: SeededRandom) {
  const id = (at: number) => `<${customer}-${at}@customer.invalid>`
  const mail = {
    from: `customer-${customer}@customer.invalid`,
    to,
    subject: `Thread ${customer}`,
    messageId: id(number),
    ...(number > 0 && { references: id(0) }),
    text: `mail ${customer} ${number}`,
  }
  for (let repeats = chance.below(10) === 0 ? 2 : 1; repeats > 0; ) {
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true, socketTimeout: 20_000 })
    const isTaken = await transport.sendMail(mail).then(
      () => true,
      () => false,
    )
    transport.close()
    if (isTaken) repeats--
    else await sleep(200)
  }
}

/** Sends the same text with the same id until the server acknowledges it. */
async function answer(url: string, token: string, conversation_id: string, number: number): Promise<void> {
  const id = deriveId(`chaos ${conversation_id} ${number}`)
  const message = { id, conversation_id, body: `answer ${number}` }
  await callUntilAnswered(url, 'POST', '/api/messages', { message }, token)
}

interface Stored {
  conversation_id: string
  body: string
  number: number
}

async function listThreads(db: Kysely<Database>): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select conversation_id, body, number from messages where customer_id is not null and source = 'email'
    order by conversation_id, number`.execute(db)
  return rows
}

/** A mail that was refused four times in a row would wait for ten minutes, and then for an hour. */
async function shortenWaits(db: Kysely<Database>): Promise<void> {
  const soon = new Date(Date.now() + 60_000).toISOString()
  await db
    .updateTable('deliveries')
    .set({ not_before: soon })
    .where('state', '=', 'waiting')
    .where('not_before', '>', soon)
    .execute()
}

async function countSent(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from deliveries where state = 'sent'`.execute(db)
  return rows[0]!.count
}

async function waitFor<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const value = await read().catch(() => undefined)
    if (value !== undefined && (isDone(value) || Date.now() > deadline)) return value
    await sleep(500)
  }
}

function checkIncoming(threads: Stored[], customers: number): string[] {
  const expected = Array.from({ length: customers }, (_, customer) =>
    Array.from({ length: MAILS_EACH }, (_, number) => `mail ${customer} ${number}`).join(),
  )
  const actual = [...Map.groupBy(threads, ({ conversation_id }) => conversation_id).values()].map((thread) =>
    thread.map(({ body }) => body).join(),
  )
  return compare(expected, actual, 'incoming thread')
}

function checkOutgoing(taken: { to: string; id: string; reply: string }[], conversations: string[]): string[] {
  // A mail whose acknowledgement was lost is sent again with the same Message-ID, which mail servers use to drop
  // duplicates: it counts once.
  const once = [...new Map(taken.toReversed().map((mail) => [mail.id, mail])).values()].toReversed()
  const threads = [...Map.groupBy(once, ({ to }) => to).values()].map((thread) =>
    thread.map(({ reply }) => reply).join(),
  )
  const all = Array.from({ length: MAILS_EACH }, (_, number) => `answer ${number}`).join()
  return compare(
    conversations.map(() => all),
    threads,
    'outgoing thread',
  )
}

function compare(expected: string[], actual: string[], what: string): string[] {
  const remaining = [...actual]
  const missing = expected.filter((item) => {
    const at = remaining.indexOf(item)
    if (at >= 0) remaining.splice(at, 1)
    return at < 0
  })
  return [
    ...missing.map((item) => `missing ${what}: ${item}`),
    ...remaining.map((item) => `unexpected ${what}: ${item}`),
  ]
}

/** A relay that cuts one connection in ten at some point. */
async function startCuttingRelay(
  port: number,
  target: number,
  chance: SeededRandom,
): Promise<{ server: Server; cuts(): number }> {
  let cuts = 0
  const server = createServer((socket) => {
    const further = connectTo(target, '127.0.0.1')
    const end = () => {
      socket.destroy()
      further.destroy()
    }
    for (const side of [socket, further]) side.on('error', end).on('close', end)
    socket.pipe(further)
    further.pipe(socket)
    if (chance.below(10) > 0) return
    cuts++
    setTimeout(end, chance.below(60))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { server, cuts: () => cuts }
}

/** Temporarily refuses one mail in ten; accepts one in thirty and hangs up without acknowledging it. */
async function startFaultyMailServer(chance: SeededRandom) {
  const taken: { to: string; id: string; reply: string }[] = []
  let [refusals, hangUps] = [0, 0]
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      if (chance.below(10) > 0) return done()
      refusals++
      return done(Object.assign(new Error('not now'), { responseCode: 450 }))
    },
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const text = Buffer.concat(parts).toString()
        const id = /^Message-ID: (.*)$/im.exec(text)?.[1]?.trim() ?? ''
        // The team gets mails as well.
        const reply = /answer \d/.exec(text)?.[0]
        if (reply) taken.push({ to: session.envelope.rcptTo[0]!.address, id, reply })
        if (chance.below(30) > 0) return done()
        hangUps++
        return done(Object.assign(new Error('gone'), { responseCode: 421 }))
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  server.on('error', () => undefined)
  return { port, taken, refusals: () => refusals, hangUps: () => hangUps, close: () => server.close() }
}
