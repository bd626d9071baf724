import { type ChildProcess, spawn } from 'node:child_process'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { keyOf } from '#tests/support/bakery.ts'
import { openRaw, type RawFrame, type RawSocket } from '#tests/support/raw-socket.ts'
import { type RealtimeNode, startRealtimeNode } from '#tests/support/realtime-node.ts'
import { type RedisServer, startRedis } from '#tests/support/redis-server.ts'
import { type Meta, type PresenceState, toState } from './presence-entries.ts'
import { openRedis } from './redis.ts'
import { RedisBus } from './redis-bus.ts'

const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
let redis: RedisServer
const running: RealtimeNode[] = []
const children: ChildProcess[] = []

beforeAll(async () => {
  redis = await startRedis()
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await Promise.all(running.splice(0).map((node) => node.stop()))
})
afterAll(() => redis.stop())

async function startNodes(count = 2): Promise<RealtimeNode[]> {
  const nodes = await Promise.all(Array.from({ length: count }, () => startRealtimeNode({ redisUrl: redis.url })))
  running.push(...nodes)
  await sleep(100)
  return nodes
}

async function enter(url: string, topic: string, name?: string): Promise<RawSocket> {
  const socket = await openRaw(url, 'vsn=2.0.0&as=1-a')
  socket.send(['1', '1', topic, 'phx_join', { name }])
  await socket.waitFor(([, , , event]) => event === 'presence_state')
  return socket
}

async function killableNode(): Promise<{ url: string; kill(): void }> {
  const program = resolve(import.meta.dirname, '../../../tests/support/realtime-child.ts')
  const child = spawn(process.execPath, [program, redis.url], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const url = await new Promise<string>((resolveUrl) =>
    child.stdout.once('data', (text) => resolveUrl(String(text).trim())),
  )
  return { url, kill: () => child.kill('SIGKILL') }
}

const events = (socket: RawSocket, name: string) => socket.frames.filter(([, , , event]) => event === name)
const payloads = (frames: RawFrame[]) => frames.map(([, , , , payload]) => payload)

/** The joins and leaves that the socket received, one line for each. */
function presenceChanges(socket: RawSocket): string[] {
  return payloads(events(socket, 'presence_diff')).flatMap(({ joins, leaves }) => [
    ...Object.keys(Object(joins)).map((name) => `${name} came`),
    ...Object.keys(Object(leaves)).map((name) => `${name} went`),
  ])
}

/** The state of a client that applies presence states and diffs as Phoenix's helper does. */
function asSeenBy(socket: RawSocket): PresenceState {
  const entriesByRef = new Map<string, { key: string; meta: Meta }>()
  for (const [, , , event, payload] of socket.frames) {
    const { joins = {}, leaves = {} } = (event === 'presence_state' ? { joins: payload } : payload) as Diff
    if (event === 'presence_state') entriesByRef.clear()
    else if (event !== 'presence_diff') continue
    for (const { key, meta } of metasOf(joins)) entriesByRef.set(meta.phx_ref, { key, meta })
    for (const { meta } of metasOf(leaves)) entriesByRef.delete(meta.phx_ref)
  }
  return toState([...entriesByRef.values()].map((entry) => ({ ...entry, topic: keyOf(''), node: '' })))
}

type Diff = { joins?: PresenceState; leaves?: PresenceState }
const metasOf = (state: PresenceState) =>
  Object.entries(state).flatMap(([key, { metas }]) => metas.map((meta) => ({ key, meta })))

/** For comparing: keys with their refs, in any order. */
const sorted = (state: PresenceState) =>
  metasOf(state)
    .map(({ key, meta }) => `${key} ${meta.place} ${meta.phx_ref}`)
    .sort()

/** A proxy to Redis that delays everything but keeps the order. */
async function slowLine(url: string, delayMs = 120): Promise<{ url: string; close(): void }> {
  const server = createServer((near) => {
    const far = createConnection(Number(new URL(url).port), '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => setTimeout(() => to.write(bytes), delayMs))
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
    }
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  return { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

async function until(isTrue: () => boolean, longestMs = 20_000) {
  const end = performance.now() + longestMs
  while (!isTrue()) {
    if (performance.now() > end) throw new Error('What was awaited did not happen.')
    await sleep(10)
  }
}

describe('two nodes on one Redis', () => {
  it('bring a broadcast of either to the clients of both, once, in the order it was sent', async () => {
    const [a, b] = (await startNodes()) as [RealtimeNode, RealtimeNode]
    const sockets = await Promise.all([enter(a.url, 'shop:1'), enter(b.url, 'shop:1')])
    for (let count = 0; count < 200; count++) {
      void a.realtime.broadcast(keyOf('shop:1'), 'from a', { count })
      void b.realtime.broadcast(keyOf('shop:1'), 'from b', { count })
    }
    const inOrder = Array.from({ length: 200 }, (_, count) => ({ count }))
    await until(() => sockets.every(({ frames }) => frames.length >= 402))
    await sleep(50)
    for (const socket of sockets) {
      expect(payloads(events(socket, 'from a'))).toEqual(inOrder)
      expect(payloads(events(socket, 'from b'))).toEqual(inOrder)
    }
  })

  it('bring the first message after a join, and none after the leave', async () => {
    const [a, b] = (await startNodes()) as [RealtimeNode, RealtimeNode]
    const socket = await openRaw(a.url)
    for (let round = 0; round < 30; round++) {
      socket.send([round, round, 'oven:1', 'phx_join', {}])
      await socket.replyTo(round)
      await b.realtime.broadcast(keyOf('oven:1'), 'ding', { round })
      await socket.waitFor(([, , , event, payload]) => event === 'ding' && payload.round === round)
      socket.send([round, `${round}`, 'oven:1', 'phx_leave', {}])
      await socket.replyTo(`${round}`)
      await b.realtime.broadcast(keyOf('oven:1'), 'dong', { round })
    }
    expect(events(socket, 'ding')).toHaveLength(30)
    expect(events(socket, 'dong')).toEqual([])
  })

  it('close the sockets of a caller wherever they are', async () => {
    const [a, b] = (await startNodes()) as [RealtimeNode, RealtimeNode]
    const sockets = await Promise.all([enter(a.url, 'shop:1'), enter(b.url, 'shop:1')])
    await a.realtime.disconnect({ session_id: '1-a' })
    for (const { closed } of sockets) expect(await closed).toEqual({ code: 1008, reason: 'signed out' })
  })

  it('know who is present on both, and send each join, change and leave to each client once', async () => {
    const [a, b] = (await startNodes()) as [RealtimeNode, RealtimeNode]
    const watchers = await Promise.all([enter(a.url, 'shop:1'), enter(b.url, 'shop:1')])
    const ada = await enter(a.url, 'shop:1', 'Ada')
    const ben = await enter(b.url, 'shop:1', 'Ben')
    const state = payloads(events(ben, 'presence_state'))[0]
    expect(Object.keys(Object(state)).sort()).toEqual(['Ada', 'Ben'])
    await until(() => watchers.every((watcher) => presenceChanges(watcher).length === 2))
    ben.send(['1', '2', 'shop:1', 'move', { name: 'Ben', place: 'counter' }])
    await until(() => watchers.every((watcher) => presenceChanges(watcher).length === 4))
    ada.ws.terminate()
    await until(() => watchers.every((watcher) => presenceChanges(watcher).length === 5))
    for (const watcher of watchers) {
      expect(presenceChanges(watcher)).toEqual(['Ada came', 'Ben came', 'Ben came', 'Ben went', 'Ada went'])
    }
    for (const { realtime } of [a, b]) {
      expect(await realtime.presence.list(keyOf('shop:1'))).toMatchObject({ Ben: { metas: [{ place: 'counter' }] } })
    }
  })

  it('know who is present on a topic that none of their own clients is on', async () => {
    const [a, b] = (await startNodes()) as [RealtimeNode, RealtimeNode]
    await enter(a.url, 'shop:far', 'Ada')
    expect(Object.keys(await b.realtime.presence.list(keyOf('shop:far')))).toEqual(['Ada'])
  })

  it('agree on who is present after many changes, even if one has a slow connection to Redis', async () => {
    const line = await slowLine(redis.url)
    const [a, b] = (await startNodes()) as [RealtimeNode, RealtimeNode]
    const far = await startRealtimeNode({ redisUrl: line.url })
    running.push(far)
    await until(() => far.isBusHealthy())
    const nodes = [a, b, far]
    const shops = ['shop:1', 'shop:2']
    const people: RawSocket[] = []
    const watchers = await Promise.all(nodes.flatMap(({ url }) => shops.map((shop) => enter(url, shop))))
    for (let step = 0; step < 90; step++) {
      const { url } = nodes[step % 3]!
      if (step % 5 < 3) people.push(await enter(url, shops[step % 2]!, `person ${step % 7}`))
      else if (step % 5 === 3) people.splice((step * 7) % people.length, 1)[0]?.ws.terminate()
      else people[(step * 5) % people.length]?.send(['1', step, shops[0], 'move', { name: 'mover', place: `${step}` }])
    }
    const agree = async () => {
      for (const shop of shops) {
        const [truth, ...others] = await Promise.all(nodes.map(({ realtime }) => realtime.presence.list(keyOf(shop))))
        for (const other of others) expect(sorted(other)).toEqual(sorted(truth!))
        expect(Object.keys(truth!).length).toBeGreaterThan(4)
        for (const watcher of watchers.filter(({ frames }) => frames[0]?.[2] === shop)) {
          expect(sorted(asSeenBy(watcher))).toEqual(sorted(truth!))
        }
      }
    }
    // However long a busy machine takes to deliver the last change.
    await vi.waitFor(agree, { timeout: 15_000, interval: 100 })
    await far.stop()
    running.splice(running.indexOf(far), 1)
    line.close()
  })

  it('learn who came before Redis confirmed a subscription, however long that takes', async () => {
    const line = await slowLine(redis.url, 700)
    const [a] = (await startNodes(1)) as [RealtimeNode]
    const far = await startRealtimeNode({ redisUrl: line.url })
    running.push(far)
    await until(() => far.isBusHealthy())
    // Its first connection to Redis ends with asking the clients of before to reconnect.
    await sleep(4_000)
    const joins = ['shop:1', 'shop:2'].map(async (shop, turn) => {
      const socket = await openRaw(far.url, 'vsn=2.0.0&as=1-a')
      // The second subscription waits for the first one, longer than a join waits for it.
      await sleep(turn * 100)
      socket.send(['1', '1', shop, 'phx_join', {}])
      return socket
    })
    const [, watcher] = await Promise.all(joins)
    const names = Array.from({ length: 60 }, (_, step) => `person ${step}`)
    for (const name of names) await Promise.all([enter(a.url, 'shop:2', name), sleep(50)])
    await vi.waitFor(() => expect(Object.keys(asSeenBy(watcher!)).sort()).toEqual(names.toSorted()), {
      timeout: 30_000,
      interval: 200,
    })
    await far.stop()
    running.splice(running.indexOf(far), 1)
    line.close()
  })

  it('forget a node that was shut down at once', async () => {
    const [a, b] = (await startNodes()) as [RealtimeNode, RealtimeNode]
    const watcher = await enter(a.url, 'shop:1')
    await enter(b.url, 'shop:1', 'Ben')
    await until(() => presenceChanges(watcher).length === 1)
    running.splice(running.indexOf(b), 1)
    await b.stop()
    await until(() => presenceChanges(watcher).length === 2, 500)
    expect(presenceChanges(watcher)).toEqual(['Ben came', 'Ben went'])
  })
})

describe('a node that dies', () => {
  it('takes its entries with it within 15 seconds, and every client elsewhere receives it once', async () => {
    const [a, b] = (await startNodes()) as [RealtimeNode, RealtimeNode]
    const doomed = await killableNode()
    const watchers = await Promise.all([enter(a.url, 'shop:1'), enter(b.url, 'shop:1'), enter(a.url, 'shop:1')])
    await enter(doomed.url, 'shop:1', 'Ben')
    await enter(doomed.url, 'shop:1', 'Cleo')
    await until(() => watchers.every((watcher) => presenceChanges(watcher).length === 2))
    doomed.kill()
    await until(() => watchers.every((watcher) => presenceChanges(watcher).length === 4), 15_000)
    await sleep(3_000)
    for (const watcher of watchers)
      expect(presenceChanges(watcher)).toEqual(['Ben came', 'Cleo came', 'Ben went', 'Cleo went'])
    expect(await a.realtime.presence.list(keyOf('shop:1'))).toEqual({})
    const late = await enter(b.url, 'shop:1')
    expect(payloads(events(late, 'presence_state'))).toEqual([{}])
  })
})

describe('when Redis', () => {
  it('is slow to start, a new node waits for it, so that its first clients need not reconnect', async () => {
    await redis.kill()
    const starting = startNodes(1)
    expect(await Promise.race([starting, sleep(500, 'waits')])).toBe('waits')
    await redis.start()
    const [node] = (await starting) as [RealtimeNode]
    expect(node.isBusHealthy()).toBe(true)
  })

  it('is killed, clients of one node still reach each other, and nothing throws', async () => {
    const [a] = (await startNodes(1)) as [RealtimeNode]
    await redis.kill()
    const [ada, ben] = await Promise.all([enter(a.url, 'shop:1', 'Ada'), enter(a.url, 'shop:1', 'Ben')])
    ada.send(['1', '2', 'shop:1', 'order', { cake: 'plum' }])
    await ada.replyTo('2')
    await ben.waitFor(([, , , event]) => event === 'ordered')
    expect(Object.keys(await a.realtime.presence.list(keyOf('shop:1'))).sort()).toEqual(['Ada', 'Ben'])
    expect(a.isBusHealthy()).toBe(false)
    await redis.start()
  })

  it('comes back empty, clients are asked to reconnect, and presence is restored', async () => {
    const [a, b] = (await startNodes()) as [RealtimeNode, RealtimeNode]
    const [ada, ben] = await Promise.all([enter(a.url, 'shop:1', 'Ada'), enter(b.url, 'shop:1', 'Ben')])
    await redis.kill()
    await until(() => !a.isBusHealthy() && !b.isBusHealthy())
    await a.realtime.disconnect({ user_id: 1 }, 'account disabled')
    expect(await ada.closed).toMatchObject({ code: 1008 })
    await redis.start()
    expect([1008, 1012]).toContain((await ben.closed).code)
    await until(() => a.isBusHealthy() && b.isBusHealthy())
    const [adaAgain, benAgain] = await Promise.all([enter(a.url, 'shop:1', 'Ada'), enter(b.url, 'shop:1', 'Ben')])
    await b.realtime.broadcast(keyOf('shop:1'), 'ordered', { cake: 'plum' })
    await adaAgain.waitFor(([, , , event]) => event === 'ordered')
    for (const { realtime } of [a, b]) {
      expect(Object.keys(await realtime.presence.list(keyOf('shop:1'))).sort()).toEqual(['Ada', 'Ben'])
    }
    expect(benAgain.ws.readyState).toBe(1)
  })

  it('forgets everything, nodes write again who is present', async () => {
    const [a, b] = (await startNodes()) as [RealtimeNode, RealtimeNode]
    await enter(a.url, 'shop:far', 'Ada')
    await redis.command('FLUSHALL')
    expect(await b.realtime.presence.list(keyOf('shop:far'))).toEqual({})
    await sleep(3_500)
    expect(Object.keys(await b.realtime.presence.list(keyOf('shop:far')))).toEqual(['Ada'])
  })

  it('dies during a subscription, the node subscribes again', async () => {
    const clients = [openRedis(redis.url, log), openRedis(redis.url, log)] as const
    await until(() => clients.every(({ isReady }) => isReady))
    const [ear, mouth] = [new RedisBus(clients[0], log), new RedisBus(clients[1], log)]
    const received: string[] = []
    ear.onMessage((topic, message) => void received.push(`${topic} ${message}`))
    redis.freeze()
    const subscribed = ear.subscribe('bread')
    await redis.kill()
    await subscribed
    expect(await mouth.publish('bread', 'lost')).toBe(false)
    await redis.start()
    await until(() => ear.isHealthy() && mouth.isHealthy())
    await sleep(50)
    expect(await mouth.publish('bread', 'fresh')).toBe(true)
    await until(() => received.length > 0)
    expect(received).toEqual(['bread fresh'])
    for (const client of clients) client.destroy()
  })

  it('hangs, joins are still answered; when it responds again, messages reach the other nodes again', async () => {
    const [a, b] = (await startNodes()) as [RealtimeNode, RealtimeNode]
    redis.freeze()
    try {
      const socket = await openRaw(a.url)
      const before = performance.now()
      socket.send(['1', '1', 'oven:1', 'phx_join', {}])
      await socket.replyTo('1')
      // Redis is given up after six seconds.
      expect(performance.now() - before).toBeLessThan(6_000)
      await until(() => !a.isBusHealthy() && !b.isBusHealthy(), 12_000)
    } finally {
      redis.thaw()
    }
    await until(() => a.isBusHealthy() && b.isBusHealthy(), 8_000)
    const socket = await enter(a.url, 'shop:1')
    await b.realtime.broadcast(keyOf('shop:1'), 'ordered', { cake: 'plum' })
    await socket.waitFor(([, , , event]) => event === 'ordered')
  })

  it('cuts connections during joins and leaves, the subscriptions are correct in the end', async () => {
    const [a, b] = (await startNodes()) as [RealtimeNode, RealtimeNode]
    const topics = Array.from({ length: 30 }, (_, index) => `oven:${index}`)
    for (let cut = 0; cut < 8; cut++) {
      const socket = await openRaw(a.url)
      for (const [index, topic] of topics.entries()) socket.send([topic, index, topic, 'phx_join', {}])
      await sleep(cut)
      await redis.command('CLIENT', 'KILL', 'TYPE', 'pubsub')
      for (const topic of topics.slice(0, 15)) socket.send([topic, null, topic, 'phx_leave', {}])
      await socket.closed
      await until(() => a.isBusHealthy() && b.isBusHealthy())
    }
    const socket = await openRaw(a.url)
    for (const topic of topics) socket.send([topic, topic, topic, 'phx_join', {}])
    for (const topic of topics) await socket.replyTo(topic)
    for (const topic of topics) await b.realtime.broadcast(keyOf(topic), 'ding', {})
    await until(() => events(socket, 'ding').length === topics.length)
    expect(await redis.command('PUBSUB', 'CHANNELS', '*oven*')).toHaveLength(topics.length)
    socket.ws.terminate()
    await sleep(300)
    expect(await redis.command('PUBSUB', 'CHANNELS', '*oven*')).toEqual([])
  })
})
