import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { startRedis } from '#tests/support/redis-server.ts'
import { waitMs } from '../widget/window/realtime/backoff.ts'
import { describe, header, percentile, report } from './figures.ts'
import { HttpLines } from './http-lines.ts'
import { type Installation, install, type RunningServer } from './installation.ts'
import { pickConversations, post, signInVisitors } from './messages.ts'
import { startCosts } from './processes.ts'
import { listen, openMany } from './sockets.ts'

/**
 * `npm run bench:servers`: one, two and four servers on one PostgreSQL and one Redis. Measures what a message costs
 * each of them, how long it takes from one server to a socket on another, and what happens when one is killed with its
 * share of the sockets.
 */
const SERVERS = (process.env.SERVERS ?? '1,2,4').split(',').map(Number)
const SOCKETS = Number(process.env.SOCKETS ?? 5_000)
const PER_SECOND = 200
const WARM_UP_SECONDS = 4
const SECONDS = 10
const RETURN_TIMEOUT_MS = 60_000
const DELIVERY_TIMEOUT_MS = 15_000

header(`Several servers, ${SOCKETS.toLocaleString('en')} visitors, ${PER_SECOND} messages a second`)
const redis = await startRedis()
const installation = await install(
  { conversations: SOCKETS, messages: SOCKETS * 2, customers: SOCKETS },
  { REDIS_URL: redis.url },
)
const servers: Node[] = [reach(installation)]
try {
  const conversations = await pickConversations(installation, SOCKETS)
  const tokens = await signInVisitors(installation, conversations)
  const sessions = conversations.map((conversation, i) => ({ ...conversation, token: tokens[i]! }))
  for (const count of SERVERS) {
    while (servers.length < count) servers.push(reach(await installation.startAnother()))
    const crowd = await gather(servers, sessions)
    await postMessages(installation, crowd, WARM_UP_SECONDS)
    const cost = startCosts(
      servers.map(({ server }) => server),
      installation.postmaster,
    )
    const { delivered, missed } = await cost.during(() => postMessages(installation, crowd, SECONDS))
    report(`${count} server${count > 1 ? 's' : ''}`, describe(delivered))
    report('  processor for a message', cost.describe(PER_SECOND * SECONDS))
    if (missed > 0) report('  never received', String(missed))
    // The server started last is killed; the others take over its sockets.
    if (count > 1) await killOne(installation, crowd)
    crowd.close()
  }
} finally {
  for (const { lines } of servers) lines.close()
  await installation.close()
  await redis.stop()
}

/** A server and the connections to it. */
interface Node extends RunningServer {
  lines: HttpLines
}

function reach({ url, server }: RunningServer): Node {
  return { url, server, lines: new HttpLines(url) }
}

interface OpenChat {
  id: string
  customer_id: string
  /** The visitor's token. */
  token: string
}

interface Visitor extends OpenChat {
  /** Index of the server that holds the socket. */
  at: number
  isBack: boolean
}

interface Crowd {
  visitors: Visitor[]
  /** One per visitor, in the same order. */
  sockets: WebSocket[]
  /** The servers that sockets connect to; a killed one is removed. */
  servers: Node[]
  /** Position of the event log once all were connected. */
  cursor: string
  /** Messages sent and not yet received: the time of sending by text. */
  under_way: Map<string, number>
  delivered: number[]
  /** Visitors whose connections were cut: from which server, and when they were up to date again. */
  returned: { from: number; at: number }[]
  refused: number
  isClosed: boolean
  close(): void
}

/** Connects a visitor for each conversation, to the servers in turn. */
async function gather(servers: Node[], sessions: OpenChat[]): Promise<Crowd> {
  const traffic = { under_way: new Map<string, number>(), delivered: [] as number[] }
  const serverOf = (i: number) => i % servers.length
  const { sockets, close } = await openMany(sessions.length, (i) => join(servers[serverOf(i)]!, sessions[i]!, traffic))
  const { cursor } = await readEvents(servers[0]!, sessions[0]!.token)
  const visitors = sessions.map((session, i) => ({ ...session, at: serverOf(i), isBack: true }))
  const crowd: Crowd = {
    visitors,
    sockets,
    servers,
    cursor,
    ...traffic,
    returned: [],
    refused: 0,
    isClosed: false,
    close: end,
  }
  function end() {
    crowd.isClosed = true
    close()
  }
  visitors.forEach((_, i) => void reconnectWhenClosed(crowd, i))
  return crowd
}

/** Joins the topics of the chat: the conversation on screen and the one where new conversations are announced. */
function join(
  { url }: RunningServer,
  { id, customer_id, token }: OpenChat,
  { under_way, delivered }: Pick<Crowd, 'under_way' | 'delivered'>,
) {
  const topics = [`conversation:${id}`, `conversation:lobby:${customer_id}`]
  return listen(url, `&token=${token}`, topics, { customer_id }, (frame) => {
    const [, body] = /"body":"(agent-[0-9a-f-]{36})"/.exec(frame) ?? []
    const sending = under_way.get(body ?? '')
    if (!body || sending === undefined) return
    delivered.push(performance.now() - sending)
    under_way.delete(body)
  })
}

/**
 * As the chat does, reconnects to one of the remaining servers after the connection was cut by a dead or draining
 * server.
 */
async function reconnectWhenClosed(crowd: Crowd, i: number) {
  const visitor = crowd.visitors[i]!
  await new Promise((resolve) => crowd.sockets[i]!.once('close', resolve))
  const { at: from } = visitor
  const cut = performance.now()
  visitor.isBack = false
  for (let attempt = 0; !visitor.isBack; attempt++) {
    await sleep(waitMs(attempt))
    if (crowd.isClosed || performance.now() - cut > RETURN_TIMEOUT_MS) return
    visitor.at = Math.floor(Math.random() * crowd.servers.length)
    const server = crowd.servers[visitor.at]!
    try {
      crowd.sockets[i] = await join(server, visitor, crowd)
      await catchUp(server, visitor, crowd)
      visitor.isBack = true
    } catch {
      crowd.sockets[i]!.terminate()
      crowd.refused++
    }
  }
  crowd.returned.push({ from, at: performance.now() })
  void reconnectWhenClosed(crowd, i)
}

/** Agents reply to connected visitors through the servers in turn, so most replies go from one server to another. */
async function postMessages({ token }: Installation, crowd: Crowd, seconds: number) {
  const { servers } = crowd
  crowd.delivered.length = 0
  const calls: Promise<unknown>[] = []
  const begun = performance.now()
  for (let i = 0; i < PER_SECOND * seconds; i++) {
    const wait = begun + (i * 1000) / PER_SECOND - performance.now()
    if (wait > 1) await sleep(wait)
    const { id, isBack } = crowd.visitors[(i * 7919) % crowd.visitors.length]!
    if (!isBack) continue
    const body = `agent-${randomUUID()}`
    crowd.under_way.set(body, performance.now())
    calls.push(post(servers[i % servers.length]!.lines, token, { id: randomUUID(), conversation_id: id, body }))
  }
  await Promise.all(calls)
  const until = performance.now() + DELIVERY_TIMEOUT_MS
  while (crowd.under_way.size > 0 && performance.now() < until) await sleep(50)
  const missed = crowd.under_way.size
  crowd.under_way.clear()
  return { delivered: [...crowd.delivered], missed }
}

/** Kills one server with `kill -9` under load: its visitors reconnect to the others. */
async function killOne(installation: Installation, crowd: Crowd) {
  const lost = crowd.servers.pop()!
  const from = crowd.servers.length
  const sockets = crowd.visitors.filter(({ at }) => at === from).length
  crowd.returned.length = 0
  crowd.refused = 0
  const killed = performance.now()
  lost.server.kill('SIGKILL')
  const { delivered, missed } = await postMessages(installation, crowd, SECONDS)
  while (crowd.visitors.some(({ isBack }) => !isBack) && performance.now() - killed < RETURN_TIMEOUT_MS)
    await sleep(100)
  const back = crowd.returned.filter((each) => each.from === from).map(({ at }) => at - killed)
  report(
    `  one killed with ${sockets} sockets: back [≤ 2 s]`,
    `half after ${(percentile(back, 0.5) / 1000).toFixed(1)}, all ${back.length} after ${(percentile(back, 1) / 1000).toFixed(1)} s; ${crowd.refused} joins refused`,
  )
  const sentAway = crowd.returned.length - back.length
  if (sentAway > 0) report('  asked by the others to reconnect', String(sentAway))
  report('  meanwhile, to those who are there', describe(delivered))
  report('  acknowledged and never received', String(missed))
}

/** Reads the messages sent while disconnected, as the chat does after reconnecting. */
async function catchUp(server: Node, { token }: OpenChat, { under_way, cursor }: Crowd) {
  const { data } = await readEvents(server, token, cursor)
  for (const { payload } of data) if (payload.body) under_way.delete(payload.body)
}

async function readEvents({ lines }: Node, token: string, after?: string) {
  const text = await lines.request('GET', `/api/events${after ? `?after=${after}` : ''}`, token)
  return JSON.parse(text) as { cursor: string; data: { payload: { body?: string } }[] }
}
