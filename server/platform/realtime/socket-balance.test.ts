import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openRaw, type RawSocket } from '#tests/support/raw-socket.ts'
import { type RealtimeNode, startRealtimeNode } from '#tests/support/realtime-node.ts'
import { type RedisServer, startRedis } from '#tests/support/redis-server.ts'
import { SocketBalance } from './socket-balance.ts'

let redis: RedisServer
let nodes: RealtimeNode[] = []
beforeAll(async () => {
  redis = await startRedis()
})
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  nodes = []
})
afterAll(() => redis.stop())

async function start() {
  const node = await startRealtimeNode({ redisUrl: redis.url, settings: { balanceMs: 60 } })
  nodes.push(node)
  return node
}
const count = (node: RealtimeNode) => node.realtime.stats().sockets
const open = ({ url }: RealtimeNode) => openRaw(url, 'vsn=2.0.0&as=1-a')

/** Clients that reconnect to the node given by `choose`, as through a proxy, whenever they are sent away. */
function connectAll(amount: number, choose: () => RealtimeNode) {
  let sentAway = 0
  async function connect(): Promise<void> {
    const socket: RawSocket = await open(choose())
    void socket.closed.then(({ code }) => {
      if (code !== 1012) return
      sentAway++
      return connect().catch(() => undefined)
    })
  }
  return Promise.all(Array.from({ length: amount }, connect)).then(() => ({ sentAway: () => sentAway }))
}

const withFewest = () => nodes.toSorted((a, b) => count(a) - count(b))[0]!

test('after a restart sockets are redistributed, a few at a time, until the nodes have about the same number', async () => {
  const first = await start()
  const clients = await connectAll(80, () => (nodes.length > 1 ? withFewest() : first))
  expect(count(first)).toBe(80)
  const second = await start()
  await sleep(150)
  // One check sends away at most two of a hundred.
  expect(count(first)).toBeGreaterThan(60)
  await expect.poll(() => count(second), { timeout: 15_000 }).toBeGreaterThanOrEqual(20)
  await expect.poll(() => count(first) + count(second)).toBe(80)
  const settled = clients.sentAway()
  await sleep(400)
  expect(clients.sentAway() - settled).toBeLessThanOrEqual(2)
})

/**
 * How many clients a node with 80 sockets sends away, with a fake clock: on a busy machine sockets may come back a
 * check later.
 */
function sentAwayOf80(live: (balance: SocketBalance, passMs: (ms: number) => void) => void): number {
  vi.useFakeTimers()
  let sentAway = 0
  const balance = new SocketBalance({
    node: 'first',
    everyMs: 60,
    count: () => 80,
    report: () => undefined,
    sendAway: (count) => (sentAway += count),
  })
  try {
    live(balance, (ms) => void vi.advanceTimersByTime(ms))
  } finally {
    balance.stop()
    vi.useRealTimers()
  }
  return sentAway
}

test('if clients that were sent away come back, fewer and fewer are sent away', () => {
  const sentAway = sentAwayOf80((balance, passMs) => {
    for (let look = 0; look < 25; look++) {
      balance.receive({ node: 'second', sockets: 0 })
      passMs(60)
    }
  })
  // All but the first few checks are skipped.
  expect(sentAway).toBeGreaterThan(0)
  expect(sentAway).toBeLessThanOrEqual(12)
})

test('while another node is missing nobody is sent away, because its sockets are about to come', () => {
  /** The second node dies once all three are even, and the third restarts without sockets. */
  const sentAwayAfter = (checks: number) =>
    sentAwayOf80((balance, passMs) => {
      balance.receive({ node: 'second', sockets: 80 })
      balance.receive({ node: 'third', sockets: 80 })
      passMs(60)
      for (let look = 0; look < checks; look++) {
        balance.receive({ node: 'third', sockets: 0 })
        passMs(60)
      }
    })
  expect(sentAwayAfter(2)).toBe(0)
  expect(sentAwayAfter(3)).toBeGreaterThan(0)
})

test('a node that is alone or shutting down sends nobody away', async () => {
  const first = await start()
  const second = await start()
  await nodes.pop()!.stop()
  const clients = await connectAll(40, () => first)
  await sleep(400)
  expect(clients.sentAway()).toBe(0)
  expect(count(second)).toBe(0)
})
