import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import type { WebhookDelivery } from '#contract/developers/webhooks.ts'
import { connect } from '#server/platform/db/connection.ts'
import { freePort, ServerProcess } from '#tests/support/server-process.ts'
import { SeededRandom } from '../../bin/seed/seeded-random.ts'
import { callUntilAnswered, openConversation, register, type Sender, sendOverHttp } from './clients.ts'
import { type Received, WebhookReceiver } from './webhook-receiver.ts'

interface Run {
  dataDir: string
  conversations: number
  /** Messages per conversation. */
  messages: number
  kills: number
  /** Called now and then. */
  onProgress?: (delivered: number) => void
}

const CLIENTS = 10
/** Requests that may be in flight to one address when a server dies. */
const AT_ONCE = 8
/** What is not delivered by then counts as missing. */
const TIMEOUT_MS = 900_000

/**
 * Sends messages while a webhook's receiver fails, is slow and is down, and the server is killed in between; then
 * compares the log of deliveries with what arrived. Times in the database are moved back, because the real tries would
 * take a day.
 */
export async function killWhileDelivering({ dataDir, conversations, messages, kills, onProgress }: Run) {
  const server = new ServerProcess(await freePort(), dataDir, { REACHABLE_HOSTS: '127.0.0.1' })
  const { url, database } = await server.start()
  const connection = connect(database, pino({ level: 'silent' }))
  const receiver = new WebhookReceiver(await freePort(), new SeededRandom(20_261_122))
  const address = await receiver.start()
  const count = () => receiver.received.filter(({ isAccepted }) => isAccepted).length
  const progress = setInterval(() => onProgress?.(count()), 15_000)
  let hasEnded = false
  const hurrying = hurry(() => hasEnded, connection.kysely)
  try {
    const { account_id, token } = await register(url, 'hooks@acme.test')
    const event_subscription = { webhook_url: address, events: ['message:created'] }
    const call = (method: string, path: string, body?: object) => callUntilAnswered(url, method, path, body, token)
    const { body: made } = await call('POST', '/api/event_subscriptions', { event_subscription })
    const path = `/api/event_subscriptions/${made.data.id}`
    receiver.secret = (await call('POST', `${path}/secret`)).body.data.secret
    const expected = conversations * messages
    const sending = sendAll(url, account_id, { conversations, messages })
    const accidents = haveAccidents(server, receiver, { kills, expected, count })
    const sent = await sending
    await accidents
    for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await sleep(1_000)) {
      if (count() >= expected && (await countPending(connection.kysely)) === 0) break
    }
    const log = await readLog((after) => call('GET', `${path}/deliveries?limit=50${after}`))
    return {
      expected,
      requests: receiver.received.length,
      accepted: count(),
      restarts: receiver.restarts,
      faults: [
        ...findMissing(sent, receiver.received),
        ...findDisorder(sent, receiver.received),
        ...findGapsInLog(log, receiver.received, { expected, kills }),
        ...(receiver.forged > 0 ? [`${receiver.forged} requests were not signed well`] : []),
      ],
    }
  } finally {
    clearInterval(progress)
    hasEnded = true
    await hurrying
    await receiver.stop()
    await connection.end()
    await server.stop()
  }
}

type Db = ReturnType<typeof connect>['kysely']

/** Makes failed deliveries due at once; the claims of a dead server still have to expire. */
async function hurry(hasEnded: () => boolean, db: Db): Promise<void> {
  while (!hasEnded()) {
    await sql`update webhook_deliveries set next_attempt_at = clock_timestamp()
      where state = 'pending' and next_attempt_at > clock_timestamp()`
      .execute(db)
      .catch(() => undefined)
    await sleep(500)
  }
}

async function sendAll(
  url: string,
  account_id: string,
  { conversations, messages }: Pick<Run, 'conversations' | 'messages'>,
) {
  const senders: Sender[] = []
  let begun = 0
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (begun++ < conversations) {
      senders.push(await sendOverHttp(url, await openConversation(url, account_id), messages))
    }
  })
  await Promise.all(clients)
  return senders
}

/** Kills the server and restarts the receiver in turn, spread over the whole run. */
async function haveAccidents(
  server: ServerProcess,
  receiver: WebhookReceiver,
  { kills, expected, count }: { kills: number; expected: number; count: () => number },
): Promise<void> {
  for (let i = 1; i <= kills; i++) {
    const deadline = Date.now() + TIMEOUT_MS
    while (count() < (expected * i) / (kills + 1) && Date.now() < deadline) await sleep(100)
    await server.killAndRestart()
    await receiver.restart()
  }
}

async function countPending(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_deliveries where state = 'pending'`.execute(db)
  return rows[0]!.count
}

type Page = { data: WebhookDelivery[]; next: string | null }

async function readLog(request: (after: string) => Promise<{ body: Page }>): Promise<WebhookDelivery[]> {
  const log: WebhookDelivery[] = []
  for (let after = ''; ; ) {
    const { data, next } = (await request(after)).body
    log.push(...data)
    if (!next) return log
    after = `&after=${encodeURIComponent(next)}`
  }
}

function findMissing(sent: Sender[], received: Received[]): string[] {
  const accepted = new Set(received.filter(({ isAccepted }) => isAccepted).map(({ message_id }) => message_id))
  return sent.flatMap((sender) =>
    sender.sent.filter((id) => !accepted.has(id)).map((id) => `message ${id} was never delivered`),
  )
}

/** No event of a conversation may arrive before all earlier ones were accepted. */
function findDisorder(sent: Sender[], received: Received[]): string[] {
  const faults: string[] = []
  const byConversation = Map.groupBy(received, ({ conversation_id }) => conversation_id)
  for (const { conversation_id, sent: ids } of sent) {
    let accepted = 0
    for (const attempt of byConversation.get(conversation_id) ?? []) {
      const at = ids.indexOf(attempt.message_id)
      if (at > accepted) faults.push(`message ${attempt.message_id} arrived before the one before it was accepted`)
      if (attempt.isAccepted && at === accepted) accepted++
    }
  }
  return faults
}

/** Each try must be in the log, except those in flight when a server was killed. */
function findGapsInLog(
  log: WebhookDelivery[],
  received: Received[],
  { expected, kills }: { expected: number; kills: number },
): string[] {
  const faults: string[] = []
  if (log.length !== expected) faults.push(`the log has ${log.length} deliveries instead of ${expected}`)
  const seen = Map.groupBy(received, ({ id }) => id)
  const messages = Map.groupBy(received, ({ message_id }) => message_id)
  for (const [id, tries] of messages) {
    if (new Set(tries.map((attempt) => attempt.id)).size > 1)
      faults.push(`message ${id} came under several webhook-ids`)
  }
  let unlogged = 0
  for (const { id, state, attempts, last } of log) {
    if (state !== 'delivered') faults.push(`delivery ${id} is ${state}`)
    if (last?.status !== 200) faults.push(`delivery ${id} ends with ${last?.status}`)
    unlogged += Math.max(0, (seen.get(id)?.length ?? 0) - attempts)
  }
  if (unlogged > kills * AT_ONCE) faults.push(`${unlogged} tries arrived and are not in the log`)
  return faults
}
