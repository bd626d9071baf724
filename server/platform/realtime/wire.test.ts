import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openRaw, type RawSocket } from '#tests/support/raw-socket.ts'
import { type RealtimeNode, startRealtimeNode } from '#tests/support/realtime-node.ts'

let node: RealtimeNode

beforeAll(async () => {
  node = await startRealtimeNode()
})
afterAll(() => node.stop())

const opened: RawSocket[] = []
afterEach(() => {
  for (const { ws } of opened.splice(0)) ws.terminate()
})

async function open(query?: string): Promise<RawSocket> {
  const socket = await openRaw(node.url, query)
  opened.push(socket)
  return socket
}

const ok = (response: object = {}) => ({ status: 'ok', response })
const error = (response: object) => ({ status: 'error', response })

describe('frames of version 2', () => {
  it('answers a heartbeat', async () => {
    const socket = await open()
    socket.send([null, '12', 'phoenix', 'heartbeat', {}])
    await socket.replyTo('12')
    expect(socket.frames).toEqual([[null, '12', 'phoenix', 'phx_reply', ok()]])
  })

  it('echoes join_ref and ref with the JSON type they came with', async () => {
    const socket = await open()
    socket.send(['3', '3', 'oven:1', 'phx_join', {}])
    await socket.replyTo('3')
    socket.send([4, 4.5, 'oven:2', 'phx_join', {}])
    await socket.replyTo(4.5)
    expect(socket.frames).toEqual([
      ['3', '3', 'oven:1', 'phx_reply', ok()],
      [4, 4.5, 'oven:2', 'phx_reply', ok()],
    ])
  })

  it('replies to a push with the result of the channel, or {} if there is none', async () => {
    const socket = await open()
    socket.send(['1', '1', 'oven:1', 'phx_join', {}])
    socket.send(['1', '2', 'oven:1', 'bake', { bread: 'rye' }])
    expect(await socket.replyTo('2')).toEqual(ok({ baked: 'rye' }))
    socket.send(['2', '3', 'shop:1', 'phx_join', {}])
    socket.send(['2', '4', 'shop:1', 'order', { cake: 'plum' }])
    expect(await socket.replyTo('4')).toEqual(ok())
    expect(socket.frames).toContainEqual([null, null, 'shop:1', 'ordered', { cake: 'plum' }])
  })

  it('sends no reply to a push that has no ref', async () => {
    const socket = await open()
    socket.send(['1', '1', 'oven:1', 'phx_join', {}])
    socket.send(['1', null, 'oven:1', 'bake', { bread: 'rye' }])
    socket.send(['1', '2', 'oven:1', 'bake', { bread: 'spelt' }])
    await socket.replyTo('2')
    expect(socket.frames).toHaveLength(2)
  })

  it('separates topics of the same name in two accounts, in broadcasts and in presence', async () => {
    const socket = await open()
    const rival = await open()
    socket.send(['1', '1', 'shop:1', 'phx_join', { name: 'Ada' }])
    await socket.replyTo('1')
    rival.send(['1', '1', 'shop:1', 'phx_join', { name: 'Eve', account_id: 'rival' }])
    await rival.replyTo('1')
    rival.send(['1', '2', 'shop:1', 'order', { cake: 'poison' }])
    await rival.replyTo('2')
    socket.send(['1', '2', 'shop:1', 'order', { cake: 'plum' }])
    await socket.replyTo('2')
    rival.send(['1', '3', 'shop:1', 'who', {}])
    expect(Object.keys((await rival.replyTo('3')).response)).toEqual(['Eve'])
    expect(JSON.stringify(socket.frames)).not.toMatch(/poison|Eve/)
    expect(JSON.stringify(rival.frames)).not.toMatch(/plum|Ada/)
  })

  it('refuses callers of another account than the topic, even if its channel accepts them', async () => {
    const socket = await open('vsn=2.0.0&as=1-a')
    socket.send(['1', '1', 'shop:1', 'phx_join', { account_id: 'rival' }])
    expect(await socket.replyTo('1')).toEqual(error({ reason: 'unauthorized' }))
    socket.send(['2', '2', 'shop:1', 'phx_join', {}])
    expect(await socket.replyTo('2')).toEqual(ok())
  })

  it('replies to a leave, then closes the channel with its join_ref', async () => {
    const socket = await open()
    socket.send(['1', '1', 'oven:1', 'phx_join', {}])
    socket.send(['1', '2', 'oven:1', 'phx_leave', {}])
    await socket.waitFor(([, , , event]) => event === 'phx_close')
    expect(socket.frames.slice(1)).toEqual([
      ['1', '2', 'oven:1', 'phx_reply', ok()],
      ['1', '1', 'oven:1', 'phx_close', {}],
    ])
    socket.send(['1', '3', 'oven:1', 'bake', {}])
    expect(await socket.replyTo('3')).toEqual(error({ reason: 'unmatched topic' }))
  })

  it('replies ok to a leave of a topic that was not joined', async () => {
    const socket = await open()
    socket.send([null, '1', 'oven:1', 'phx_leave', {}])
    expect(await socket.replyTo('1')).toEqual(ok())
  })

  it('closes the older channel when a topic is joined twice, and ignores what still belongs to it', async () => {
    const socket = await open()
    socket.send(['1', '1', 'oven:1', 'phx_join', {}])
    socket.send(['2', '2', 'oven:1', 'phx_join', {}])
    socket.send(['1', '3', 'oven:1', 'bake', { bread: 'old' }])
    socket.send(['1', '4', 'oven:1', 'phx_leave', {}])
    socket.send(['2', '5', 'oven:1', 'bake', { bread: 'new' }])
    expect(await socket.replyTo('5')).toEqual(ok({ baked: 'new' }))
    expect(socket.frames).toEqual([
      ['1', '1', 'oven:1', 'phx_reply', ok()],
      ['1', '1', 'oven:1', 'phx_close', {}],
      ['2', '2', 'oven:1', 'phx_reply', ok()],
      ['1', '3', 'oven:1', 'phx_reply', error({ reason: 'unmatched topic' })],
      ['1', '4', 'oven:1', 'phx_reply', ok()],
      ['2', '5', 'oven:1', 'phx_reply', ok({ baked: 'new' })],
    ])
  })
})

describe('frames of version 1', () => {
  it.each(['vsn=1.0.0', ''])('are objects, with "%s" in the address', async (query) => {
    const socket = await open(query)
    const seen: unknown[] = []
    socket.ws.on('message', (data) => seen.push(JSON.parse(data.toString())))
    socket.send({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '1' })
    socket.send({ topic: 'shop:v1', event: 'phx_join', payload: {}, ref: '2' })
    socket.send({ topic: 'shop:v1', event: 'order', payload: { cake: 'plum' }, ref: '3' })
    socket.send({ topic: 'shop:v1', event: 'phx_leave', payload: {}, ref: '4' })
    while (seen.length < 7) await sleep(5)
    expect(seen).toEqual([
      { topic: 'phoenix', event: 'phx_reply', payload: ok(), ref: '1' },
      { topic: 'shop:v1', event: 'phx_reply', payload: ok(), ref: '2' },
      { topic: 'shop:v1', event: 'presence_state', payload: {}, ref: null },
      { topic: 'shop:v1', event: 'ordered', payload: { cake: 'plum' }, ref: null },
      { topic: 'shop:v1', event: 'phx_reply', payload: ok(), ref: '3' },
      { topic: 'shop:v1', event: 'phx_reply', payload: ok(), ref: '4' },
      { topic: 'shop:v1', event: 'phx_close', payload: {}, ref: '2' },
    ])
  })
})

describe('errors', () => {
  it.each([
    ['an unknown topic', ['1', '9', 'garage:1', 'phx_join', {}], 'unmatched topic'],
    ['a topic with an empty part', ['1', '9', 'oven:', 'phx_join', {}], 'unmatched topic'],
    ['a topic with a part too many', ['1', '9', 'oven:1:2', 'phx_join', {}], 'unmatched topic'],
    ['an event on a topic not joined', ['1', '9', 'oven:1', 'bake', {}], 'unmatched topic'],
    ['any event but heartbeat on phoenix', [null, '9', 'phoenix', 'bake', {}], 'unmatched topic'],
    ['a payload that is a list', ['1', '9', 'oven:1', 'phx_join', []], 'malformed frame'],
    ['an event that is no text', ['1', '9', 'oven:1', 7, {}], 'malformed frame'],
  ])('answers %s with the reason', async (_case, frame, reason) => {
    const socket = await open()
    socket.send(frame)
    expect(await socket.replyTo('9')).toMatchObject({ status: 'error', response: { reason } })
  })

  it.each(['toString', 'constructor', '__proto__', 'fry', 'phx_close', 'phx_reply'])(
    'answers the unknown event %s with the reason, and the channel stays',
    async (event) => {
      const socket = await open()
      socket.send(['1', '1', 'oven:1', 'phx_join', {}])
      socket.send(['1', '2', 'oven:1', event, {}])
      expect(await socket.replyTo('2')).toEqual(error({ reason: 'unknown event' }))
      socket.send(['1', '3', 'oven:1', 'bake', { bread: 'rye' }])
      expect(await socket.replyTo('3')).toEqual(ok({ baked: 'rye' }))
    },
  )

  it('answers a refused join with the refusal, and a crashing one with "join crashed"', async () => {
    const socket = await open()
    socket.send(['1', '1', 'oven:7', 'phx_join', { refuse: true }])
    expect(await socket.replyTo('1')).toEqual(error({ reason: 'too hot', oven: '7' }))
    socket.send(['2', '2', 'oven:7', 'phx_join', { crash: true }])
    expect(await socket.replyTo('2')).toEqual(error({ reason: 'join crashed' }))
    socket.send(['3', '3', 'oven:7', 'phx_join', {}])
    expect(await socket.replyTo('3')).toEqual(ok())
  })

  it('answers a push that is refused, crashes, or cannot be written, and the channel stays', async () => {
    const socket = await open()
    socket.send(['1', '1', 'oven:1', 'phx_join', {}])
    socket.send(['1', '2', 'oven:1', 'overfill', {}])
    socket.send(['1', '3', 'oven:1', 'burn', {}])
    socket.send(['1', '4', 'oven:1', 'riddle', {}])
    socket.send(['1', '5', 'oven:1', 'bake', { bread: 'rye' }])
    expect(await socket.replyTo('2')).toEqual(error({ reason: 'full' }))
    expect(await socket.replyTo('3')).toEqual(error({ reason: 'internal error' }))
    expect(await socket.replyTo('4')).toEqual(error({ reason: 'internal error' }))
    expect(await socket.replyTo('5')).toEqual(ok({ baked: 'rye' }))
  })

  it('tells the client to join again when the channel crashes after the join', async () => {
    const socket = await open()
    socket.send(['1', '1', 'mixer:1', 'phx_join', {}])
    await socket.waitFor(([, , , event]) => event === 'phx_error')
    expect(socket.frames).toEqual([
      ['1', '1', 'mixer:1', 'phx_reply', ok()],
      ['1', '1', 'mixer:1', 'phx_error', {}],
    ])
    socket.send(['2', '2', 'mixer:1', 'phx_join', {}])
    expect(await socket.replyTo('2')).toEqual(ok())
  })
})

describe('order', () => {
  it('lets a push that arrives while its join is pending wait for the join', async () => {
    const socket = await open()
    socket.send(['1', '1', 'oven:1', 'phx_join', { delay: 60 }])
    socket.send(['1', '2', 'oven:1', 'bake', { bread: 'rye' }])
    await socket.replyTo('2')
    expect(socket.frames).toEqual([
      ['1', '1', 'oven:1', 'phx_reply', ok()],
      ['1', '2', 'oven:1', 'phx_reply', ok({ baked: 'rye' })],
    ])
  })

  it('handles the frames of one topic one after the other, however long each takes', async () => {
    const socket = await open()
    node.diary.length = 0
    socket.send(['1', '1', 'oven:1', 'phx_join', { delay: 10 }])
    const delays = [30, 0, 15, 0, 5]
    for (const [index, delay] of delays.entries()) {
      socket.send(['1', `${index + 2}`, 'oven:1', 'bake', { bread: index, delay }])
    }
    socket.send(['1', '7', 'oven:1', 'phx_leave', {}])
    socket.send(['8', '8', 'oven:1', 'phx_join', {}])
    await socket.replyTo('8')
    const bakes = delays.map((_, index) => `bake ${index}`)
    expect(node.diary).toEqual(['join oven:1', ...bakes, 'leave oven:1', 'join oven:1'])
  })

  it('does not let a slow topic delay another one', async () => {
    const socket = await open()
    socket.send(['1', '1', 'oven:slow', 'phx_join', { delay: 200 }])
    socket.send(['2', '2', 'oven:quick', 'phx_join', {}])
    socket.send([null, '3', 'phoenix', 'heartbeat', {}])
    await socket.replyTo('1')
    expect(socket.frames.map(([, ref]) => ref)).toEqual(['3', '2', '1'])
  })

  it('sends nothing of a topic before the reply to the join', async () => {
    const early = await open()
    early.send(['1', '1', 'mixer:9', 'phx_join', {}])
    const socket = await open()
    socket.send(['1', '1', 'shop:1', 'phx_join', { name: 'Ada' }])
    await socket.waitFor(([, , , event]) => event === 'presence_state')
    expect(socket.frames.map(([, , , event]) => event)).toEqual(['phx_reply', 'presence_diff', 'presence_state'])
    await early.replyTo('1')
    expect(early.frames.filter(([, , , event]) => event === 'too early')).toEqual([])
  })

  it('does not delay frames by what a channel does after the join', async () => {
    const socket = await open()
    for (const ref of [1, 2]) socket.send([ref, ref, 'mixer:9', 'phx_join', {}])
    socket.send([2, 3, 'mixer:9', 'mix', {}])
    await socket.waitFor(([, , , event]) => event === 'warm')
    const last = socket.frames.slice(-3).map(([, ref, , event]) => [event, ref])
    expect(last).toEqual([
      ['phx_reply', 2],
      ['phx_reply', 3],
      ['warm', null],
    ])
  })

  it('prefers the pattern with the longest literal text', async () => {
    const socket = await open()
    const topics = { 'oven:cold': 'oven:cold', 'oven:hot:3': 'oven:hot:{oven_id}' }
    for (const [index, [topic, pattern]] of Object.entries(topics).entries()) {
      socket.send([topic, `join ${index}`, topic, 'phx_join', {}])
      socket.send([topic, `ask ${index}`, topic, 'which', {}])
      expect(await socket.replyTo(`ask ${index}`)).toEqual(ok({ pattern }))
    }
  })

  it('leaves the channel once when the socket is cut in the middle of a join', async () => {
    const socket = await open()
    node.diary.length = 0
    socket.send(['1', '1', 'oven:1', 'phx_join', { delay: 50 }])
    await sleep(10)
    socket.ws.terminate()
    await sleep(100)
    expect(node.diary).toEqual(['join oven:1', 'leave oven:1'])
    expect(node.realtime.stats()).toMatchObject({ sockets: 0, channels: 0, topics: 0, presences: 0 })
  })
})

describe('presence', () => {
  it('accepts any string as a key', async () => {
    const names = ['constructor', '__proto__', 'toString']
    for (const [index, name] of names.entries()) {
      const socket = await open()
      socket.send(['1', '1', 'shop:words', 'phx_join', { name }])
      const [, , , , state] = await socket.waitFor(([, , , event]) => event === 'presence_state')
      expect(Object.keys(state)).toEqual(names.slice(0, index + 1))
    }
  })

  it('sends an update as a new meta that names the one before, and a leave with the last', async () => {
    const [watcher, ada] = [await open(), await open()]
    watcher.send(['1', '1', 'shop:1', 'phx_join', {}])
    await watcher.waitFor(([, , , event]) => event === 'presence_state')
    ada.send(['1', '1', 'shop:1', 'phx_join', { name: 'Ada' }])
    ada.send(['1', '2', 'shop:1', 'move', { name: 'Ada', place: 'counter' }])
    await ada.replyTo('2')
    ada.ws.terminate()
    const isDiff = ([, , , event]: unknown[]) => event === 'presence_diff'
    while (watcher.frames.filter(isDiff).length < 3) await sleep(5)
    const [came, moved, went] = watcher.frames.filter(isDiff).map(([, , , , payload]) => payload)
    const first = { place: 'door', phx_ref: expect.any(String) }
    expect(came).toEqual({ joins: { Ada: { metas: [first] } }, leaves: {} })
    const [before] = (came as { joins: { Ada: { metas: [{ phx_ref: string }] } } }).joins.Ada.metas
    const second = { place: 'counter', phx_ref: expect.any(String), phx_ref_prev: before.phx_ref }
    expect(moved).toEqual({ joins: { Ada: { metas: [second] } }, leaves: { Ada: { metas: [before] } } })
    expect(went).toEqual({ joins: {}, leaves: { Ada: { metas: [second] } } })
  })
})
