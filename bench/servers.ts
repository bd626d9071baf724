import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { startRedis } from '#tests/support/redis-server.ts'
import { waitMs } from '../widget/window/realtime/backoff.ts'
import { describe, header, percentile, report } from './figures.ts'
import { type Installation, install, type RunningServer } from './installation.ts'
import { pickConversations, post } from './messages.ts'
import { startCosts } from './processes.ts'
import { listen, openMany } from './sockets.ts'

/**
 * `npm run bench:servers`: one, two and four servers on one PostgreSQL and one Redis. What a message costs each of them, how long it
 * takes from one to a socket on another, and what happens when one is killed with its share of the sockets.
 */
const SERVERS = [1, 2, 4]
const SOCKETS = Number(process.env.SOCKETS ?? 5_000)
const PER_SECOND = 200
const WARM_UP_SECONDS = 4
const SECONDS = 10
const LONGEST_RETURN_MS = 60_000
const LONGEST_DELIVERY_MS = 15_000

header(`Several servers, ${SOCKETS.toLocaleString('en')} visitors, ${PER_SECOND} messages a second`)
const redis = await startRedis()
const installation = await install(
  { conversations: SOCKETS, messages: SOCKETS * 2, customers: SOCKETS },
  { REDIS_URL: redis.url },
)
const servers: RunningServer[] = [{ url: installation.url, server: installation.server }]
try {
  const conversations = await pickConversations(installation.database, SOCKETS)
  for (const count of SERVERS) {
    while (servers.length < count) servers.push(await installation.startAnother())
    const crowd = await gather(servers, conversations)
    await talk(installation, servers, crowd, WARM_UP_SECONDS)
    const cost = startCosts(
      servers.map(({ server }) => server),
      installation.postmaster,
    )
    const { delivered, missed } = await cost.during(() => talk(installation, servers, crowd, SECONDS))
    report(`${count} server${count > 1 ? 's' : ''}`, describe(delivered))
    report('  processor for a message', cost.describe(PER_SECOND * SECONDS))
    if (missed > 0) report('  never received', String(missed))
    // The last that was started goes; the others take its sockets.
    if (count > 1) await killOne(installation, servers, crowd)
    crowd.close()
  }
} finally {
  await installation.close()
  await redis.stop()
}

interface Place {
  id: string
  customer_id: string
}

interface Visitor extends Place {
  socket: WebSocket
  /** Which of the servers holds the socket. */
  at: number
  isBack: boolean
}

interface Crowd {
  visitors: Visitor[]
  /** What was said and has not come, by its words: when. */
  under_way: Map<string, number>
  delivered: number[]
  close(): void
}

/** A visitor for each conversation, on the servers in turn. */
async function gather(servers: RunningServer[], places: Place[]): Promise<Crowd> {
  const under_way = new Map<string, number>()
  const delivered: number[] = []
  const visitors: Visitor[] = []
  const { close } = await openMany(places.length, async (i) => {
    const at = i % servers.length
    const socket = await join(servers[at]!, places[i]!, under_way, delivered)
    visitors.push({ ...places[i]!, socket, at, isBack: true })
    return socket
  })
  return { visitors, under_way, delivered, close }
}

function join({ url }: RunningServer, { id, customer_id }: Place, under_way: Map<string, number>, delivered: number[]) {
  return listen(url, '', `conversation:${id}`, { customer_id }, (frame) => {
    const [, body] = /"body":"(agent-[0-9a-f-]{36})"/.exec(frame) ?? []
    const said = under_way.get(body ?? '')
    if (!body || said === undefined) return
    delivered.push(performance.now() - said)
    under_way.delete(body)
  })
}

/** Agents answer visitors who are there, by the servers in turn, so most answers go from one server to another. */
async function talk({ token }: Installation, servers: RunningServer[], crowd: Crowd, seconds: number) {
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
    calls.push(
      post(servers[i % servers.length]!.url, token, { message: { id: randomUUID(), conversation_id: id, body } }),
    )
  }
  await Promise.all(calls)
  const until = performance.now() + LONGEST_DELIVERY_MS
  while (crowd.under_way.size > 0 && performance.now() < until) await sleep(50)
  const missed = crowd.under_way.size
  crowd.under_way.clear()
  return { delivered: [...crowd.delivered], missed }
}

/** `kill -9` of one server, while everybody goes on: its visitors come back to the others as the chat does. */
async function killOne(installation: Installation, servers: RunningServer[], crowd: Crowd) {
  const lost = servers.pop()!
  const at = servers.length
  const killed = performance.now()
  const back: number[] = []
  const refused = { count: 0 }
  const returning = crowd.visitors
    .filter((visitor) => visitor.at === at)
    .map(async (visitor, i) => {
      visitor.isBack = false
      await new Promise((resolve) => visitor.socket.once('close', resolve))
      for (let attempt = 0; !visitor.isBack && performance.now() - killed < LONGEST_RETURN_MS; attempt++) {
        await sleep(waitMs(attempt))
        visitor.at = (i + attempt) % servers.length
        try {
          visitor.socket = await join(servers[visitor.at]!, visitor, crowd.under_way, crowd.delivered)
          visitor.isBack = true
          await catchUp(servers[visitor.at]!, installation.token, visitor, crowd)
        } catch {
          refused.count++
        }
      }
      back.push(performance.now() - killed)
    })
  lost.server.kill('SIGKILL')
  const { delivered, missed } = await talk(installation, servers, crowd, SECONDS)
  await Promise.all(returning)
  report(
    `  one killed with ${back.length} sockets: back [≤ 2 s]`,
    `half after ${(percentile(back, 0.5) / 1000).toFixed(1)}, all after ${(percentile(back, 1) / 1000).toFixed(1)} s; ${refused.count} joins refused`,
  )
  report('  meanwhile, to those who are there', describe(delivered))
  report('  acknowledged and never received', String(missed))
  for (const visitor of crowd.visitors) if (visitor.at === at || !visitor.isBack) visitor.socket.terminate()
}

/** Reads what was said while the line was cut, as the chat does once it is back. */
async function catchUp({ url }: RunningServer, token: string, { id }: Place, { under_way }: Crowd) {
  const answer = await fetch(`${url}/api/messages?conversation_id=${id}`, { headers: { authorization: token } })
  if (!answer.ok) throw new Error(await answer.text())
  for (const { body } of ((await answer.json()) as { data: { body: string }[] }).data) under_way.delete(body)
}
