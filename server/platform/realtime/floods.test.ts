import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { keyOf } from '#tests/support/bakery.ts'
import { openRaw, type RawSocket } from '#tests/support/raw-socket.ts'
import { type RealtimeNode, startRealtimeNode } from '#tests/support/realtime-node.ts'

const running: RealtimeNode[] = []
afterEach(async () => {
  for (const node of running.splice(0)) await node.stop()
})

async function start(settings: Parameters<typeof startRealtimeNode>[0] = {}): Promise<RealtimeNode> {
  const node = await startRealtimeNode(settings)
  running.push(node)
  return node
}

async function answersHeartbeat(socket: RawSocket) {
  socket.send([null, 'alive?', 'phoenix', 'heartbeat', {}])
  return socket.replyTo('alive?')
}

/** The stream below a client's socket, for frames that are cut. */
function rawStream({ ws }: RawSocket): Duplex {
  const { _socket: stream } = ws as unknown as { _socket: Duplex }
  return stream
}

const generous = { frames: { capacity: 1e6, perSecond: 1e6 }, maxUnreadable: 1e6 }
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('unreadable frames', () => {
  it('never crash the server, for any text', async () => {
    const node = await start({ settings: generous })
    const socket = await openRaw(node.url)
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), async (text) => socket.sendText(text)),
      { numRuns: 500, seed: 20_261_121 },
    )
    expect(await answersHeartbeat(socket)).toMatchObject({ status: 'ok' })
  })

  it('never crash the server, whatever the parts of a frame are', async () => {
    const node = await start({ settings: generous })
    const socket = await openRaw(node.url)
    const ref = fc.oneof(fc.constantFrom('1', 1, null), fc.jsonValue())
    const topic = fc.oneof(fc.constantFrom('oven:1', 'shop:1', 'phoenix', '', ':', 'oven:__proto__'), fc.jsonValue())
    const event = fc.oneof(fc.constantFrom('phx_join', 'phx_leave', 'echo', 'move', 'heartbeat'), fc.jsonValue())
    const payload = fc.oneof(fc.constant({}), fc.jsonValue(), fc.object())
    await fc.assert(
      fc.asyncProperty(fc.tuple(ref, ref, topic, event, payload), async (frame) => socket.send(frame)),
      { numRuns: 1_000, seed: 20_261_121 },
    )
    expect(await answersHeartbeat(socket)).toMatchObject({ status: 'ok' })
  })

  it.each([
    ['objects of version 1', '{"topic":"oven:1","event":"phx_join","payload":{},"ref":"1"}'],
    ['four parts', '["1","1","oven:1","phx_join"]'],
    ['six parts', '["1","1","oven:1","phx_join",{},{}]'],
    ['a ref that is a list', '["1",["1"],"oven:1","phx_join",{}]'],
    ['a topic with control characters', '["1","1","\\u0000nodes","phx_join",{}]'],
    ['a topic without end', `["1","1","oven:${'x'.repeat(300)}","phx_join",{}]`],
    ['a list nested too deep', nested(5_000)],
    ['a payload nested too deep', `["1","1","oven:1","phx_join",{"a":${nested(5_000)}}]`],
    ['a nested list without end', '['.repeat(100_000)],
  ])('that are %s are not answered', async (_case, text) => {
    const node = await start()
    const socket = await openRaw(node.url)
    socket.sendText(text)
    await answersHeartbeat(socket)
    expect(socket.frames).toHaveLength(1)
    expect(node.realtime.stats()).toMatchObject({ malformed: 1, channels: 0 })
  })

  it('close the socket with 1007 after some, and binary ones with 1003', async () => {
    const node = await start({ settings: { maxUnreadable: 3 } })
    const [text, binary] = await Promise.all([openRaw(node.url), openRaw(node.url)])
    for (let count = 0; count < 4; count++) {
      text.sendText('{')
      binary.ws.send(Buffer.from([0, 1, 1, 6, 8]))
    }
    expect(await text.closed).toMatchObject({ code: 1007 })
    expect(await binary.closed).toMatchObject({ code: 1003 })
  })

  it('beyond the size limit close the socket with 1009', async () => {
    const node = await start({ settings: { maxFrameBytes: 1_000 } })
    const socket = await openRaw(node.url)
    socket.sendText('x'.repeat(2_000))
    expect(await socket.closed).toMatchObject({ code: 1009 })
  })

  it('leave a payload within the depth limit as it is', async () => {
    const node = await start()
    const socket = await openRaw(node.url)
    const deep = JSON.parse(nested(900))
    socket.send(['1', '1', 'oven:1', 'phx_join', {}])
    socket.send(['1', '2', 'oven:1', 'echo', { deep, text: '[{"\\'.repeat(2_000) }])
    expect((await socket.replyTo('2')).response).toEqual({ deep, text: '[{"\\'.repeat(2_000) })
  })
})

describe('a flood of frames', () => {
  it('is answered with how long to wait, and heartbeats still pass', async () => {
    const node = await start({ settings: { frames: { capacity: 5, perSecond: 2 } } })
    const socket = await openRaw(node.url)
    socket.send(['1', '1', 'oven:1', 'phx_join', {}])
    for (let ref = 2; ref < 10; ref++) socket.send(['1', ref, 'oven:1', 'echo', {}])
    expect(await socket.replyTo(5)).toMatchObject({ status: 'ok' })
    expect(await socket.replyTo(9)).toEqual({ status: 'error', response: { reason: 'rate limited', retry_after: 1 } })
    expect(await answersHeartbeat(socket)).toMatchObject({ status: 'ok' })
    await sleep(600)
    socket.send(['1', 'later', 'oven:1', 'echo', {}])
    expect(await socket.replyTo('later')).toMatchObject({ status: 'ok' })
    expect(node.realtime.stats()).toMatchObject({ rateLimited: 4 })
  })

  it('costs more when frames are large', async () => {
    const node = await start({ settings: { frames: { capacity: 5, perSecond: 0.1 }, charactersPerToken: 1_000 } })
    const socket = await openRaw(node.url)
    socket.send([null, '1', 'oven:1', 'echo', { text: 'x'.repeat(3_500) }])
    socket.send([null, '2', 'oven:1', 'echo', {}])
    socket.send([null, '3', 'oven:1', 'echo', {}])
    expect((await socket.replyTo('2')).response).toEqual({ reason: 'unmatched topic' })
    expect((await socket.replyTo('3')).response).toMatchObject({ reason: 'rate limited' })
  })

  it('without end closes the socket with 1008', async () => {
    const node = await start({ settings: { frames: { capacity: 5, perSecond: 1 }, abusiveAfter: 50 } })
    const socket = await openRaw(node.url)
    for (let ref = 0; ref < 100; ref++) socket.send([null, ref, 'phoenix', 'heartbeat', {}])
    expect(await socket.closed).toEqual({ code: 1008, reason: 'too many frames' })
  })

  it('of pings is not answered without end', async () => {
    const node = await start({ settings: { frames: { capacity: 5, perSecond: 1 } } })
    const socket = await openRaw(node.url)
    let pongs = 0
    socket.ws.on('pong', () => pongs++)
    for (let count = 0; count < 50; count++) socket.ws.ping()
    await answersHeartbeat(socket)
    expect(pongs).toBe(5)
  })

  it('on a slow topic is queued up to a limit only', async () => {
    const node = await start({ settings: { maxWaitingFrames: 10, maxWaitingCharacters: 2_000 } })
    const socket = await openRaw(node.url)
    socket.send(['1', '1', 'oven:1', 'phx_join', { delay: 100 }])
    for (let ref = 2; ref < 20; ref++) socket.send(['1', ref, 'oven:1', 'echo', {}])
    expect(await socket.replyTo(19)).toMatchObject({ response: { reason: 'rate limited' } })
    expect(await socket.replyTo(11)).toMatchObject({ status: 'ok' })
    socket.send(['1', 'slow', 'oven:1', 'bake', { delay: 50 }])
    socket.send(['1', 'large', 'oven:1', 'echo', { text: 'x'.repeat(3_000) }])
    socket.send(['1', 'small', 'oven:1', 'echo', {}])
    expect(await socket.replyTo('large')).toMatchObject({ response: { reason: 'rate limited' } })
    expect(await socket.replyTo('small')).toMatchObject({ status: 'ok' })
  })

  it('of joins ends at the limit of topics, and a leave allows another join', async () => {
    const node = await start({ settings: { maxTopicsPerSocket: 3 } })
    const socket = await openRaw(node.url)
    for (let ref = 1; ref < 5; ref++) socket.send([ref, ref, `oven:${ref}`, 'phx_join', {}])
    expect(await socket.replyTo(4)).toMatchObject({ response: { reason: 'too many topics' } })
    socket.send([2, 'leave', 'oven:2', 'phx_leave', {}])
    socket.send([5, 5, 'oven:4', 'phx_join', {}])
    expect(await socket.replyTo(5)).toMatchObject({ status: 'ok' })
  })
})

/** The header of a text frame of a client with this many bytes, and the mask 0. */
function headerOf(bytes: number): Buffer {
  const header = Buffer.alloc(14)
  header[0] = 0x81
  header[1] = 0x80 | 127
  header.writeBigUInt64BE(BigInt(bytes), 2)
  return header
}

describe('a frame that is too large', () => {
  const MIB = 1024 * 1024

  it('is refused by its header, before any of its bytes come', async () => {
    const node = await start()
    for (const [query, allowed] of [
      ['vsn=2.0.0', 256 * 1024],
      ['vsn=2.0.0&as=7', MIB],
    ] as const) {
      const [small, large] = await Promise.all([openRaw(node.url, query), openRaw(node.url, query)])
      rawStream(large).write(headerOf(allowed + 1))
      expect(await large.closed).toMatchObject({ code: 1009 })
      small.send([null, 'large', 'oven:1', 'echo', { text: 'x'.repeat(allowed - 100) }])
      expect(await small.replyTo('large')).toMatchObject({ response: { reason: 'unmatched topic' } })
    }
  })

  it('is accepted once the socket has joined a topic with recorded pages', async () => {
    const node = await start()
    const recorder = await openRaw(node.url)
    recorder.send(['1', '1', 'oven:1', 'phx_join', { large: true }])
    await recorder.replyTo('1')
    recorder.send(['1', '2', 'oven:1', 'echo', { text: 'x'.repeat(2 * MIB) }])
    expect(await recorder.replyTo('2')).toMatchObject({ status: 'ok' })
  })
})

describe('frames that never end', () => {
  it('are closed when together they take too much memory, the oldest first', async () => {
    const node = await start({ settings: { maxUnfinishedBytes: 1_100_000, unfinishedMs: 20 } })
    const slow = []
    for (let i = 0; i < 8; i++) {
      const socket = await openRaw(node.url)
      rawStream(socket).write(Buffer.concat([headerOf(250_000), Buffer.alloc(200_000, 'x')]))
      slow.push(socket)
      await sleep(60)
    }
    await slow[0]!.closed
    await expect.poll(() => node.realtime.stats().sockets).toBe(5)
    expect(slow.map(({ ws }) => ws.readyState === ws.OPEN)).toEqual([...Array(3).fill(false), ...Array(5).fill(true)])
    expect(await answersHeartbeat(await openRaw(node.url))).toMatchObject({ status: 'ok' })
  })
})

describe('sockets of one network', () => {
  it('are limited, and those of the team are counted apart', async () => {
    const node = await start({ settings: { maxVisitorSocketsPerNetwork: 3, maxTeamSocketsPerNetwork: 4 } })
    const visitors = await Promise.all(Array.from({ length: 3 }, () => openRaw(node.url)))
    await expect(openRaw(node.url)).rejects.toThrow('429')
    for (let i = 0; i < 4; i++) await openRaw(node.url, 'vsn=2.0.0&as=7')
    await expect(openRaw(node.url, 'vsn=2.0.0&as=7')).rejects.toThrow('429')
    visitors[0]!.ws.close()
    await expect
      .poll(() =>
        openRaw(node.url).then(
          () => 'open',
          () => 'full',
        ),
      )
      .toBe('open')
  })

  it('without credentials are closed if they join nothing', async () => {
    const node = await start({ settings: { joinMs: 300, sweepMs: 20 } })
    const [idle, joined, agent] = await Promise.all([
      openRaw(node.url),
      openRaw(node.url),
      openRaw(node.url, 'vsn=2.0.0&as=7'),
    ])
    joined.send(['1', '1', 'oven:1', 'phx_join', {}])
    expect(await idle.closed).toEqual({ code: 1008, reason: 'no topic was joined' })
    for (const socket of [joined, agent]) expect(await answersHeartbeat(socket)).toMatchObject({ status: 'ok' })
  })

  it('may join fewer topics if they are not of the team', async () => {
    const node = await start({ settings: { maxTopicsPerVisitorSocket: 2 } })
    const [visitor, agent] = await Promise.all([openRaw(node.url), openRaw(node.url, 'vsn=2.0.0&as=7')])
    for (const socket of [visitor, agent])
      for (let ref = 1; ref < 4; ref++) socket.send([ref, ref, `oven:${ref}`, 'phx_join', {}])
    expect(await visitor.replyTo(3)).toMatchObject({ response: { reason: 'too many topics' } })
    expect(await agent.replyTo(3)).toMatchObject({ status: 'ok' })
  })
})

/** Bytes of referenced buffers; unreferenced ones are freed shortly after the collection. */
async function bytesHeld(): Promise<number> {
  setFlagsFromString('--expose-gc')
  for (let round = 0; round < 3; round++) {
    runInNewContext('gc')()
    await sleep(100)
  }
  return process.memoryUsage().external
}

describe('a client that does not read', () => {
  it('is dropped, memory stays bounded, and the others receive everything', async () => {
    const node = await start({ settings: { maxUnreadBytes: 256 * 1024 } })
    const [deaf, other] = await Promise.all([openRaw(node.url), openRaw(node.url)])
    for (const socket of [deaf, other]) {
      socket.send(['1', '1', 'shop:1', 'phx_join', {}])
      await socket.replyTo('1')
    }
    deaf.ws.pause()
    let received = 0
    other.ws.removeAllListeners('message').on('message', () => received++)
    const cake = 'x'.repeat(50_000)
    const before = await bytesHeld()
    for (let sent = 1; sent <= 2_000; sent++) {
      await node.realtime.broadcast(keyOf('shop:1'), 'ordered', { cake })
      if (sent % 4 === 0) while (received < sent) await sleep(1)
    }
    expect((await bytesHeld()) - before).toBeLessThan(10e6)
    expect(received).toBe(2_000)
    expect(node.realtime.stats()).toMatchObject({ sockets: 1, tooSlow: 1, channels: 1 })
    deaf.ws.resume()
    expect(await deaf.closed).toMatchObject({ code: 1006 })
  })

  it('is not dropped because of a single frame above the limit, such as all customers present', async () => {
    const node = await start({ settings: { maxUnreadBytes: 256 * 1024 } })
    const slow = await openRaw(node.url)
    slow.send(['1', '1', 'shop:1', 'phx_join', {}])
    await slow.replyTo('1')
    slow.ws.pause()
    // More than the operating system buffers.
    const guests = 'x'.repeat(16_000_000)
    await node.realtime.broadcast(keyOf('shop:1'), 'ordered', { guests })
    await sleep(50)
    for (let i = 0; i < 10; i++) await node.realtime.broadcast(keyOf('shop:1'), 'ordered', { cake: i })
    expect(node.realtime.stats()).toMatchObject({ sockets: 1, tooSlow: 0 })
    slow.ws.resume()
    await expect.poll(() => slow.frames.filter(([, , , event]) => event === 'ordered').length).toBe(11)
  })
})

describe('a silent client', () => {
  it('is closed after the idle time, and heartbeats keep it open', async () => {
    const node = await start({ settings: { idleMs: 1_500, sweepMs: 20 } })
    const [silent, alive] = await Promise.all([openRaw(node.url), openRaw(node.url)])
    silent.send(['1', '1', 'shop:1', 'phx_join', { name: 'Ada' }])
    alive.send(['1', '1', 'shop:1', 'phx_join', {}])
    let beat = 0
    const beating = setInterval(() => alive.send([null, beat++, 'phoenix', 'heartbeat', {}]), 50)
    onTestFinished(() => clearInterval(beating))
    expect(await silent.closed).toEqual({ code: 1001, reason: 'idle' })
    expect(
      alive.frames.some(([, , , event, payload]) => event === 'presence_diff' && 'Ada' in Object(payload.leaves)),
    ).toBe(true)
    expect(node.realtime.stats()).toMatchObject({ sockets: 1, presences: 0 })
  })
})
