import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import type { Db } from '#server/platform/db/change.ts'
import { connect } from '#server/platform/db/connection.ts'
import { freePort, ServerProcess } from '#tests/support/server-process.ts'
import { describe, percentile } from '../../bench/figures.ts'
import { SeededRandom } from '../../bin/seed/seeded-random.ts'
import { type PushAnswer, type PushService, startPushService } from '../emulators/push-service.ts'
import { callUntilAnswered, openConversation, register, sendOverHttp } from './clients.ts'

interface Run {
  dataDir: string
  messages: number
  /** People with a device each. */
  people: number
  conversations: number
  /** Kills of the server; between them the push service dies for a while. */
  kills: number
  /** Milliseconds between two messages of one of the ten customers who write at the same time. */
  pauseMs: number
  log(line: string): void
}

const WAIT_SECONDS = 2
const CLIENTS = 10
const OUTAGE_MS = 2_000
/** After the waiting time. */
const P95_MS = 2_000
/** What is not announced by then counts as lost. */
const PATIENCE_MS = 300_000
const PASSWORD = 'correct horse'

/**
 * Customers write while a push service refuses a tenth of all pushes, loses answers and dies, and the server is killed.
 * Then counts what reached the devices: each message is announced by one notification, which may arrive several times
 * under its id, because devices show each id once.
 * @returns what was broken
 */
export async function pushThroughFaults(run: Run): Promise<string[]> {
  const service = await startPushService()
  const server = new ServerProcess(await freePort(), run.dataDir, {
    PUSH_SERVICE_URL: service.url,
    PUSH_WAIT_SECONDS: String(WAIT_SECONDS),
    MAIL_FROM: 'support@chaos.example',
  })
  const { url, database } = await server.start()
  const connection = connect(database, pino({ level: 'silent' }))
  const db = connection.kysely
  try {
    const opened = await prepare(url, service, run)
    const faults = new SeededRandom(20_261_127)
    service.answer(() => chooseAnswer(faults.below(100)))
    let sent = 0
    const sending = Array.from({ length: CLIENTS }, async (_, client) => {
      const own = opened.filter((__, index) => index % CLIENTS === client)
      for (let i = 0; i < run.messages / CLIENTS; i++, sent++)
        await sendOverHttp(url, own[i % own.length]!, 1, run.pauseMs)
    })
    const accidents = haveAccidents(server, service, run, () => sent)
    await Promise.all([...sending, accidents])
    service.answer(() => undefined)
    await waitForAll(db, service)
    return await judge(db, service, run)
  } finally {
    await connection.end()
    await server.stop()
    await service.close()
  }
}

/** Hires people, gives each their conversations, and registers their devices. */
async function prepare(url: string, service: PushService, { people, conversations }: Run) {
  const { account_id, token } = await register(url, 'push@chaos.example')
  const call = (method: string, path: string, body?: object, as = token) =>
    callUntilAnswered(url, method, path, body, as).then((answer) => answer.body.data)
  const team: { user_id: number; token: string }[] = []
  for (let i = 0; i < people; i++) {
    const { id: invite_token } = await call('POST', '/api/user_invitations')
    const user = { invite_token, email: `${i}@chaos.example`, password: PASSWORD, password_confirmation: PASSWORD }
    team.push(await call('POST', '/api/registration', { user }))
  }
  const opened = []
  for (let i = 0; i < conversations; i++) {
    const conversation = await openConversation(url, account_id)
    const assignee_id = team[i % people]!.user_id
    await call('PUT', `/api/conversations/${conversation.conversation_id}`, { conversation: { assignee_id } })
    opened.push(conversation)
  }
  // Assignments notify nobody who has no device yet, once their events have been read.
  await sleep(2_000)
  for (const person of team) {
    const device = { subscription: service.subscribe() }
    await call('POST', '/api/push_devices', { device }, person.token)
  }
  return opened
}

/** Of a hundred pushes eight are refused, and the answers to four are lost although the device got them. */
function chooseAnswer(chance: number): PushAnswer | undefined {
  if (chance < 5) return { status: 503 }
  if (chance < 6) return { status: 429, headers: { 'retry-after': '1' } }
  if (chance < 8) return { status: 500 }
  if (chance < 10) return { status: 502, isDelivered: true }
  if (chance < 12) return { status: 201, isLost: true }
  return undefined
}

/** Kills the server and stops the push service in turn, spread over the whole run. */
async function haveAccidents(
  server: ServerProcess,
  service: PushService,
  { messages, kills }: Run,
  sent: () => number,
) {
  for (let i = 1; i <= kills; i++) {
    while (sent() < (messages * i) / (kills + 1)) await sleep(50)
    await server.killAndRestart()
    await service.die()
    await sleep(OUTAGE_MS)
    await service.comeBack()
  }
}

/** Waits until no alert waits and every notification has arrived. */
async function waitForAll(db: Db, service: PushService): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(500)) {
    const arrived = new Set(service.pushes.map(({ payload }) => payload.notification.data.id))
    const alerts = await readAlerts(db)
    if (alerts.every(({ notification_id }) => notification_id && arrived.has(notification_id))) return
  }
}

interface Alert {
  notification_id: string | null
  messages: number
  /** When its newest message was written. */
  written_at: string
}

async function readAlerts(db: Db): Promise<Alert[]> {
  const { rows } = await sql<Alert>`
    select a.notification_id, a.messages, m.created_at as written_at
    from push_alerts a join messages m on m.account_id = a.account_id and m.id = a.message_id`.execute(db)
  return rows
}

async function judge(db: Db, service: PushService, { messages, kills, log }: Run): Promise<string[]> {
  const alerts = await readAlerts(db)
  const first = new Map<string, number>()
  for (const { payload, at } of service.pushes) {
    const { id } = payload.notification.data
    first.set(id, Math.min(at, first.get(id) ?? at))
  }
  const announced = alerts.reduce((sum, alert) => sum + alert.messages, 0)
  const lost = alerts.filter(({ notification_id }) => !notification_id || !first.has(notification_id))
  // Of several messages only the newest's time is known, and the others waited for less.
  const delays = alerts.flatMap(({ notification_id, messages: count, written_at }) => {
    const at = count === 1 && notification_id && first.get(notification_id)
    return at ? [Math.max(0, at - Date.parse(written_at) - WAIT_SECONDS * 1_000)] : []
  })
  const alertIds = new Set(alerts.map(({ notification_id }) => notification_id))
  const strange = [...first.keys()].filter((id) => !alertIds.has(id))
  log(
    `${messages} messages, ${kills} kills of the server and ${kills} deaths of the push service: ${first.size} notifications, of which ${service.pushes.length - first.size} arrived again under their id and are shown once.`,
  )
  log(`After the waiting time of ${WAIT_SECONDS} s: ${describe(delays)}`)
  return [
    ...(announced === messages ? [] : [`${messages} messages were written and ${announced} announced`]),
    ...lost.map(({ notification_id }) => `notification ${notification_id} never arrived`),
    ...strange.map((id) => `notification ${id} is about nothing`),
    ...service.mistakes.map((mistake) => `a push was wrong: ${mistake}`),
    ...(percentile(delays, 0.95) > P95_MS ? [`p95 is ${percentile(delays, 0.95)} ms`] : []),
  ]
}
