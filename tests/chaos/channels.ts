import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import pino from 'pino'
import { sendDeliveries } from '#server/features/deliveries/sender.ts'
import { processInbound } from '#server/features/inbound/process.ts'
import { type Connection, connect } from '#server/platform/db/connection.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { openBoss } from '#server/platform/jobs/jobs.ts'
import { SIGNING_SECRET, SlackEmulator } from '#tests/emulators/slack.ts'
import { startTwilio } from '#tests/emulators/twilio.ts'
import { freePort, ServerProcess } from '#tests/support/server-process.ts'
import { Chance } from '../../bin/seed/chance.ts'
import { MattermostEmulator } from '../emulators/mattermost.ts'
import { type ChannelSide, MattermostSide, SlackSide, TwilioSide } from './channel-sides.ts'
import { callUntilAnswered, register } from './clients.ts'
import { inParallel } from './in-parallel.ts'
import { seconds } from './seconds.ts'

interface Run {
  dataDir: string
  /** Of each vendor. In each the customer writes five times and is answered five times. */
  threads: number
  kills: number
  log: (line: string) => void
}

const WORDS_EACH = 5
const WRITERS = 6
const AGENTS = 12
/** What has not arrived by then is missing. */
const TIMEOUT_MS = 1_500_000
const OUTAGE_MS = 20_000
const SLACK_CHANNELS = ['one', 'two', 'three', 'four']

/**
 * Customers write and agents answer through Slack, Mattermost and Twilio, which fail a third of the time and are away for an
 * hour, while our server is killed. Then counts on both sides what is missing, doubled or out of order. Waits between tries
 * are cut short in the database: the clock is moved, so to speak.
 */
export async function talkThroughFaults({ dataDir, threads, kills, log }: Run): Promise<string[]> {
  const chance = new Chance(20_261_123)
  const slack = await SlackEmulator.start({
    id: 'T0CHAOS',
    name: 'Chaos',
    users: [{ name: 'ada', real_name: 'Ada', email: 'channels@acme.test' }],
    channels: SLACK_CHANNELS.map((name) => ({ name })),
  })
  const mattermost = await MattermostEmulator.start([{ username: 'ada', email: 'channels@acme.test' }])
  const twilio = await startTwilio()
  const env = { SLACK_API_URL: slack.url, SLACK_SIGNING_SECRET: SIGNING_SECRET, TWILIO_API_URL: twilio.url }
  const server = new ServerProcess(await freePort(), dataDir, { ...env, REACHABLE_HOSTS: '127.0.0.1' })
  const { url, database } = await server.start()
  const connection = connect(database, pino({ level: 'silent' }))
  const db = connection.kysely
  let [isOver, isAway] = [false, false]
  let clock: Promise<void> | undefined
  try {
    const { token, account_id } = await register(url, 'channels@acme.test')
    const call = (method: string, path: string, body?: object) => callUntilAnswered(url, method, path, body, token)
    const world = { url, account_id, call, db, chance, isAway: () => isAway }
    const sides: ChannelSide[] = [
      new SlackSide(world, slack, SLACK_CHANNELS),
      new MattermostSide(world, mattermost),
      new TwilioSide(world, twilio),
    ]
    for (const side of sides) await side.connect()
    clock = moveClock({ connection, account_id, isOver: () => isOver, isAway: () => isAway })
    for (const side of sides) side.disturb()
    const started = Date.now()
    const expected = sides.length * threads * WORDS_EACH * 2
    const accidents = haveAccidents(server, { kills, expected, db, log }, async () => {
      isAway = true
      for (const side of sides) side.goAway()
      await sleep(OUTAGE_MS)
      isAway = false
      for (const side of sides) side.comeBack()
      log('The vendors were away for an hour.')
    })
    await Promise.all(
      sides.flatMap((side) => [
        inParallel(WRITERS, threads, async (thread) => {
          for (let number = 0; number < WORDS_EACH; number++) await side.ask(thread, number)
        }),
        inParallel(AGENTS, threads, async (thread) => {
          for (let number = 0; number < WORDS_EACH; number++) await side.answer(thread, number)
        }),
      ]),
    )
    log(`All was said after ${seconds(started)} s.`)
    await accidents
    for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await sleep(1_000)) {
      if ((await countArrived(db)) >= expected && (await countIn(db, 'waiting')) === 0) break
    }
    const failed = await countIn(db, 'failed')
    log(
      `${expected} messages through three vendors in ${seconds(started)} s; ${sides.map((side) => `${side.name} failed ${side.faults()} of ${side.calls()} calls`).join(', ')}. ${failed} stand visibly unsent.`,
    )
    const found = await Promise.all(sides.map((side) => side.check(threads, WORDS_EACH)))
    return found.flat()
  } finally {
    isOver = true
    await clock
    await connection.end()
    await server.stop()
    await Promise.all([slack.close(), mattermost.close(), twilio.close()])
  }
}

interface Clock {
  connection: Connection
  account_id: string
  isOver: () => boolean
  isAway: () => boolean
}

const WAITS = [
  ['deliveries', 'not_before'],
  ['inbound_events', 'not_before'],
  ['authorizations', 'paused_until'],
] as const

/** Each second is ten minutes; while the vendors are away it is three, so that they are for an hour. */
async function moveClock({ connection, account_id, isOver, isAway }: Clock): Promise<void> {
  const db = connection.kysely
  const boss = openBoss(connection.pool, pino({ level: 'silent' }), { isGuest: true })
  await boss.start()
  for (; !isOver(); await sleep(1_000)) {
    try {
      for (const [table, column] of WAITS) {
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} - make_interval(mins => ${isAway() ? 3 : 10})
          where ${sql.ref(column)} > clock_timestamp()`.execute(db)
      }
      for (const name of [sendDeliveries.name, processInbound.name]) await boss.send(name, { account_id })
      await boss.send('authorizations.pollAll', {})
    } catch {
      // The database goes with the server that is killed.
    }
  }
  await boss.stop({ graceful: false, close: false })
}

/** Kills spread over the whole run, and the hour's outage in its middle. */
async function haveAccidents(
  server: ServerProcess,
  { kills, expected, db, log }: { kills: number; expected: number; db: Kysely<Database>; log: Run['log'] },
  haveOutage: () => Promise<void>,
): Promise<void> {
  let outage: Promise<void> | undefined
  for (let kill = 1; kill <= kills; kill++) {
    const deadline = Date.now() + TIMEOUT_MS
    while ((await countArrived(db)) < (expected * kill) / (kills + 1) && Date.now() < deadline) await sleep(500)
    if (!outage && kill > kills / 2) outage = haveOutage()
    await sleep(1_000)
    await server.killAndRestart()
    log(`Kill ${kill} of ${kills}, after ${await countArrived(db)} messages.`)
  }
  await outage
}

/** What was brought to a vendor, and what came from one. */
async function countArrived(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from deliveries where kind = 'post' and state in ('sent', 'failed')) +
      (select count(*) from messages where source in ('slack', 'mattermost') or (source = 'sms' and customer_id is not null)))::int
      as count`
    .execute(db)
    .catch(() => ({ rows: [{ count: 0 }] }))
  return rows[0]!.count
}

/** How much of what goes out and comes in is in a state. */
async function countIn(db: Kysely<Database>, state: 'waiting' | 'failed'): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from deliveries where state = ${state}) +
      (select count(*) from inbound_events where state = ${state}))::int as count`.execute(db)
  return rows[0]!.count
}
