import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import pino from 'pino'
import { sendDeliveries } from '#server/features/connections/deliveries/sender.ts'
import { processInbound } from '#server/features/connections/inbound/process.ts'
import { type Connection, connect } from '#server/platform/db/connection.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { CLAIM_SECONDS } from '#server/platform/jobs/claims.ts'
import { openBoss } from '#server/platform/jobs/jobs.ts'
import { LEASE_SECONDS } from '#server/platform/outbound/leases.ts'
import { SIGNING_SECRET, SlackEmulator } from '#tests/emulators/slack.ts'
import { startTelegram } from '#tests/emulators/telegram.ts'
import { startTwilio } from '#tests/emulators/twilio.ts'
import { startWhatsapp } from '#tests/emulators/whatsapp.ts'
import { freePort, ServerProcess } from '#tests/support/server-process.ts'
import { SeededRandom } from '../../bin/seed/seeded-random.ts'
import { MattermostEmulator } from '../emulators/mattermost.ts'
import { type ChannelSide, MattermostSide, SlackSide, TwilioSide, WhatsappSide } from './channel-sides.ts'
import { callUntilAnswered, register } from './clients.ts'
import { inParallel } from './in-parallel.ts'
import { seconds } from './seconds.ts'
import { TelegramSide } from './telegram-side.ts'

interface Run {
  dataDir: string
  /** Threads per vendor. */
  threads: number
  /** How many messages the customer of each thread writes, and how many replies they get. */
  words: number
  kills: number
  /** Rows claimed by a killed server are free at once, instead of after a minute. */
  isHasty?: boolean
  /** How long the vendors are down: one second stands for three minutes. */
  outageMs: number
  log: (line: string) => void
}

const WRITERS = 6
const AGENTS = 12
/** What has not arrived by then counts as missing. */
const TIMEOUT_MS = 1_500_000
const SLACK_CHANNELS = ['one', 'two', 'three', 'four']

/**
 * Customers write and agents reply through Slack, Mattermost, Twilio, Telegram and WhatsApp, which fail a third of the time and are down
 * for a while, while our server is killed. Then counts on both sides what is missing, duplicated or out of order. Times
 * in the database are moved back, so that waits between tries are short.
 */
export async function talkThroughFaults({
  dataDir,
  threads,
  words,
  kills,
  isHasty = false,
  outageMs,
  log,
}: Run): Promise<string[]> {
  const chance = new SeededRandom(20_261_123)
  const slack = await SlackEmulator.start({
    id: 'T0CHAOS',
    name: 'Chaos',
    users: [{ name: 'ada', real_name: 'Ada', email: 'channels@acme.test' }],
    channels: SLACK_CHANNELS.map((name) => ({ name })),
  })
  const mattermost = await MattermostEmulator.start([{ username: 'ada', email: 'channels@acme.test' }])
  const twilio = await startTwilio()
  const telegram = await startTelegram()
  const whatsapp = await startWhatsapp()
  const vendors = { SLACK_API_URL: slack.url, TWILIO_API_URL: twilio.url, TELEGRAM_API_URL: telegram.url }
  const env = { ...vendors, ...whatsapp.settings, SLACK_SIGNING_SECRET: SIGNING_SECRET }
  const server = new ServerProcess(await freePort(), dataDir, {
    ...env,
    // WhatsApp calls public addresses only.
    BASE_URL: 'https://support.acme.example',
    REACHABLE_HOSTS: '127.0.0.1',
  })
  const { url, database } = await server.start()
  const connection = connect(database, pino({ level: 'silent' }))
  const db = connection.kysely
  let [hasEnded, isAway] = [false, false]
  let clock: Promise<void> | undefined
  try {
    const { token, account_id } = await register(url, 'channels@acme.test')
    const call = (method: string, path: string, body?: object) => callUntilAnswered(url, method, path, body, token)
    const world = { url, account_id, call, db, chance, isAway: () => isAway }
    const sides: ChannelSide[] = [
      new SlackSide(world, slack, SLACK_CHANNELS),
      new MattermostSide(world, mattermost),
      new TwilioSide(world, twilio),
      new TelegramSide(world, telegram),
      new WhatsappSide(world, whatsapp),
    ]
    for (const side of sides) await side.connect()
    clock = moveClock({ connection, account_id, hasEnded: () => hasEnded, isAway: () => isAway })
    for (const side of sides) side.disturb()
    const started = Date.now()
    const expected = sides.length * threads * words * 2
    const accidents = haveAccidents(server, { kills, isHasty, expected, db, log }, async () => {
      isAway = true
      for (const side of sides) side.goAway()
      await sleep(outageMs)
      isAway = false
      for (const side of sides) side.comeBack()
      log(`The vendors were away for ${(outageMs * 3) / 1000} minutes.`)
    })
    const senders = sides.flatMap((side) => [
      inParallel(WRITERS, threads, async (thread) => {
        for (let number = 0; number < words; number++) await side.write(thread, number)
      }),
      inParallel(AGENTS, threads, async (thread) => {
        for (let number = 0; number < words; number++) await side.answer(thread, number)
      }),
    ])
    // A failed attempt to cause an accident ends the run at once.
    await Promise.race([Promise.all(senders), accidents.then(() => Promise.all(senders))])
    log(`All messages were sent after ${seconds(started)} s.`)
    await accidents
    for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await sleep(1_000)) {
      if ((await countArrived(db)) >= expected && (await countIn(db, 'waiting')) === 0) break
    }
    const failed = await countIn(db, 'failed')
    const undecided = await countUndecided(db)
    log(
      `${expected} messages through ${sides.length} vendors in ${seconds(started)} s; ${sides.map((side) => `${side.name} failed ${side.faults()} of ${side.calls()} calls`).join(', ')}. ${failed - undecided} stand visibly unsent; ${undecided} may have arrived, which the team is asked to decide.`,
    )
    const problems = await Promise.all(sides.map((side) => side.check(threads, words)))
    return problems.flat()
  } finally {
    hasEnded = true
    await clock
    await connection.end()
    await server.stop()
    await Promise.all([slack.close(), mattermost.close(), twilio.close(), telegram.close(), whatsapp.close()])
  }
}

interface Clock {
  connection: Connection
  account_id: string
  hasEnded: () => boolean
  isAway: () => boolean
}

const WAITS = [
  ['deliveries', 'not_before'],
  ['inbound_events', 'not_before'],
  ['authorizations', 'paused_until'],
] as const

/** Each second stands for ten minutes; three while the vendors are down. */
async function moveClock({ connection, account_id, hasEnded, isAway }: Clock): Promise<void> {
  const db = connection.kysely
  const boss = openBoss(connection.pool, pino({ level: 'silent' }), { isGuest: true })
  await boss.start()
  for (; !hasEnded(); await sleep(1_000)) {
    try {
      for (const [table, column] of WAITS) {
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} - make_interval(mins => ${isAway() ? 3 : 10})
          where ${sql.ref(column)} > clock_timestamp()`.execute(db)
      }
      for (const name of [sendDeliveries.name, processInbound.name]) await boss.send(name, { account_id })
      await boss.send('authorizations.pollAll', {})
    } catch {
      // The database is down while the server is killed.
    }
  }
  await boss.stop({ graceful: false, close: false })
}

/** Kills spread over the whole run, and the outage in the middle. */
async function haveAccidents(
  server: ServerProcess,
  {
    kills,
    isHasty,
    expected,
    db,
    log,
  }: Required<Pick<Run, 'kills' | 'isHasty' | 'log'>> & { expected: number; db: Kysely<Database> },
  haveOutage: () => Promise<void>,
): Promise<void> {
  let outage: Promise<void> | undefined
  for (let kill = 1; kill <= kills; kill++) {
    const deadline = Date.now() + TIMEOUT_MS
    while ((await countArrived(db)) < (expected * kill) / (kills + 1) && Date.now() < deadline) await sleep(500)
    if (!outage && kill > kills / 2) outage = haveOutage()
    await sleep(1_000)
    await server.kill()
    const killed_at = Date.now()
    await server.start()
    if (isHasty) await freeTaken(db, killed_at)
    log(`Kill ${kill} of ${kills}, after ${await countArrived(db)} messages.`)
  }
  await outage
}

/** Releases the claims of the killed server. Claims made since then belong to the next one. */
async function freeTaken(db: Kysely<Database>, killed_at: number): Promise<void> {
  const endOf = (seconds: number) => new Date(killed_at + seconds * 1_000).toISOString()
  const free = async () => {
    await db
      .updateTable('deliveries')
      .set({ taken_until: null })
      .where('taken_until', '<=', endOf(CLAIM_SECONDS))
      .execute()
    await db
      .updateTable('inbound_events')
      .set({ taken_until: null })
      .where('taken_until', '<=', endOf(CLAIM_SECONDS))
      .execute()
    await db.deleteFrom('leases').where('held_until', '<=', endOf(LEASE_SECONDS)).execute()
  }
  // Its old connections are broken after the kill, so the first tries may fail.
  for (let triesLeft = 20; triesLeft > 0; triesLeft--) {
    if (
      await free().then(
        () => true,
        () => false,
      )
    )
      return
    await sleep(200)
  }
  throw new Error('The database does not answer after a kill.')
}

/** How many messages were delivered to vendors, and received from them. */
async function countArrived(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from deliveries where kind = 'post' and state in ('sent', 'failed')) +
      (select count(*) from messages where source in ('slack', 'mattermost') or (source in ('sms', 'telegram', 'whatsapp') and customer_id is not null)))::int
      as count`
    .execute(db)
    .catch(() => ({ rows: [{ count: 0 }] }))
  return rows[0]!.count
}

/** How many deliveries and received events are in a state. */
async function countIn(db: Kysely<Database>, state: 'waiting' | 'failed'): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from deliveries where state = ${state}) +
      (select count(*) from inbound_events where state = ${state}))::int as count`.execute(db)
  return rows[0]!.count
}

/** How many replies may have arrived at a vendor that lists no sent messages. */
async function countUndecided(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from deliveries
    where state = 'failed' and integration = 'telegram' and problem like '%may have arrived%'`.execute(db)
  return rows[0]!.count
}
