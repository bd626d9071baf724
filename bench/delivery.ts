import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { WebSocket, WebSocketServer } from 'ws'
import { startRedis } from '#tests/support/redis-server.ts'
import { describe, header, ratio, report } from './figures.ts'
import { HttpLines } from './http-lines.ts'
import { type Installation, install } from './installation.ts'
import { pickConversations, post, signInVisitors } from './messages.ts'
import { measureDelay } from './processes.ts'
import { listen, openMany } from './sockets.ts'

/**
 * `npm run bench:delivery [-- --redis]`: time from sending a message to its arrival on the other side's socket. With
 * `--redis` there are two servers, and every message is posted to the one that the socket is not on.
 */
const PER_SECOND = 200
const SECONDS = 20
const WARM_UP_SECONDS = 30
const AGENTS = 10
/** Both ends of the bare sockets are in this process, which may open some twenty thousand files. */
const MAX_BARE_SOCKETS = 9_000
const isBetweenServers = process.argv.includes('--redis')
const MAX_BEHIND_MS = isBetweenServers ? 3 : 1.5
const SOCKETS = (process.env.SOCKETS ?? '1000,5000').split(',').map(Number)

header('Delivery: post → stored → on the other side’s socket')
const redis = isBetweenServers ? await startRedis() : undefined
const installation = await install(
  { conversations: Math.max(...SOCKETS), messages: 20_000, customers: Math.max(...SOCKETS) },
  redis && { REDIS_URL: redis.url },
)
try {
  const urls = [installation.url, redis ? (await installation.startAnother()).url : installation.url]
  const bare = await measureTransactions(installation)
  report('bare database transaction (2 writes, commit)', describe(bare))
  for (const sockets of SOCKETS) {
    const fewer = Math.min(sockets, MAX_BARE_SOCKETS)
    const fanOut = await measureFanOut(fewer)
    report(`bare ws, one message to one of ${fewer}`, describe(fanOut))
    const { delivered, behind, missed, delays } = await measureDelivery(installation, urls, sockets)
    report(`Parley, ${PER_SECOND} messages/s, ${sockets} sockets`, describe(delivered))
    report('  against the two bare steps together', ratio(delivered, add(bare, fanOut)))
    report(`  after the answer to the post [p50 ≤ ${MAX_BEHIND_MS} ms]`, describe(behind))
    report('  event loop’s delay, p50 and p99', delays)
    if (missed > 0) report('  never received', String(missed))
  }
} finally {
  await installation.close()
  await redis?.stop()
}

interface SentMessage {
  delivered: number[]
  /** How long after the answer to its own post each message arrived; negative if before. */
  behind: number[]
  missed: number
  delays: string
}

/**
 * Visitors, each in a conversation of their own, and some agents who receive everything; half of the messages go each
 * way. Visitors are spread over both addresses, because servers send sockets away to balance them.
 * @param urls two addresses, which may be the same
 */
async function measureDelivery(installation: Installation, urls: string[], sockets: number): Promise<SentMessage> {
  const { token, account_id, server } = installation
  const pairs = await pickConversations(installation, sockets - AGENTS)
  const visitorTokens = await signInVisitors(installation, pairs)
  const started = new Map<string, { at: number; receiver: WebSocket }>()
  const delivered: number[] = []
  const arrivedAt = new Map<string, number>()
  const answeredAt = new Map<string, number>()
  const receive = (from: 'visitor' | 'agent') => (frame: string) => {
    if (!frame.includes('"shout"')) return
    const [, body] = /"body":"(\w+-[0-9a-f-]{36})"/.exec(frame) ?? []
    const at = body?.startsWith(from) ? started.get(body)?.at : undefined
    if (!body || at === undefined) return
    delivered.push(performance.now() - at)
    arrivedAt.set(body, performance.now())
    started.delete(body)
  }
  const visitors = await openMany(pairs.length, (i) =>
    listen(urls[i % 2]!, `&visitor_token=${visitorTokens[i]}`, [`conversation:${pairs[i]!.id}`], {}, receive('agent')),
  )
  const agents = await openMany(AGENTS, () =>
    listen(urls[1]!, `&token=${token}`, [`notification:${account_id}`], {}, receive('visitor')),
  )
  await sleep(1_000)
  const lines = urls.map((url) => new HttpLines(url))
  const calls: Promise<unknown>[] = []
  const tick = 1000 / PER_SECOND
  const own = monitorEventLoopDelay({ resolution: 5 })
  const begun = performance.now()
  for (let i = 0; i < PER_SECOND * (WARM_UP_SECONDS + SECONDS); i++) {
    // The warm-up is left out: a server that just started still compiles its code and plans its statements each time.
    if (i === PER_SECOND * WARM_UP_SECONDS) {
      delivered.length = 0
      arrivedAt.clear()
      own.enable()
      void measureDelay(server)
    }
    const wait = begun + i * tick - performance.now()
    if (wait > 1) await sleep(wait)
    const from = i % 2 ? 'agent' : 'visitor'
    const index = (i * 7919) % pairs.length
    const { id, customer_id } = pairs[index]!
    const body = `${from}-${randomUUID()}`
    const message = { id: randomUUID(), conversation_id: id, body, ...(from === 'visitor' && { customer_id }) }
    const receiver = from === 'agent' ? visitors.sockets[index]! : agents.sockets[0]!
    started.set(body, { at: performance.now(), receiver })
    const other = lines[from === 'agent' ? 1 - (index % 2) : 0]!
    calls.push(post(other, token, message).then(() => answeredAt.set(body, performance.now())))
  }
  await Promise.all(calls)
  await sleep(500)
  const delays = `server ${formatTimes(await measureDelay(server))}, bench ${formatTimes([50, 99].map((share) => own.percentile(share) / 1e6))}`
  own.disable()
  for (const line of lines) line.close()
  // Servers send some sockets away while they balance them; a real client comes back and reads what it missed.
  const missed = [...started.values()].filter(({ receiver }) => receiver.readyState === WebSocket.OPEN).length
  visitors.close()
  agents.close()
  const behind = [...arrivedAt].flatMap(([body, at]) => (answeredAt.has(body) ? [at - answeredAt.get(body)!] : []))
  return { delivered, behind, missed, delays }
}

function formatTimes(ms: number[]): string {
  return `${ms.map((value) => value.toFixed(0)).join(' and ')} ms`
}

/** The cost of storing alone: one row changed, one added, flushed to disk. */
async function measureTransactions({ database }: Installation): Promise<number[]> {
  const client = new pg.Client(database)
  await client.connect()
  const { rows } = await client.query('select account_id, id, customer_id from conversations limit 500')
  const samples: number[] = []
  for (let i = 0; i < 1_000; i++) {
    const { account_id, id, customer_id } = rows[i % rows.length]
    const at = performance.now()
    await client.query('begin')
    const { rows: numbered } = await client.query(
      'update conversations set last_number = last_number + 1, last_activity_at = now() where account_id = $1 and id = $2 returning last_number',
      [account_id, id],
    )
    await client.query(
      'insert into messages (account_id, id, conversation_id, number, body, customer_id, created_at) values ($1, $2, $3, $4, $5, $6, now())',
      [account_id, randomUUID(), id, numbered[0].last_number, 'bare', customer_id],
    )
    await client.query('commit')
    samples.push(performance.now() - at)
  }
  await client.end()
  return samples
}

/** The cost of a socket alone: a bare server that forwards messages to one of its clients. */
async function measureFanOut(count: number): Promise<number[]> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const samples: number[] = []
  const { sockets, close } = await openMany(
    count,
    () =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false })
        socket.on('open', () => resolve(socket))
        socket.on('message', (data) => samples.push(performance.now() - Number(String(data).slice(0, 24))))
      }),
  )
  const inside = [...server.clients]
  for (let i = 0; i < 2_000 && sockets.length; i++) {
    inside[(i * 7919) % inside.length]!.send(String(performance.now()).padEnd(24) + 'x'.repeat(800))
    if (i % 2) await sleep(5)
  }
  await sleep(200)
  close()
  server.close()
  return samples
}

/** Adds two lists of samples, sorted, element by element: the least that doing both could cost. */
function add(first: number[], second: number[]): number[] {
  const [a, b] = [first, second].map((samples) => [...samples].sort((x, y) => x - y))
  return a!.map((value, i) => value + b![Math.floor((i / a!.length) * b!.length)]!)
}
