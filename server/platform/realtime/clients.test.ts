import { setTimeout as sleep } from 'node:timers/promises'
import { type Channel, Presence, Socket } from 'phoenix'
import phoenix15 from 'phoenix-1.5'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type RealtimeNode, startRealtimeNode } from '#tests/support/realtime-node.ts'

let node: RealtimeNode

beforeAll(async () => {
  node = await startRealtimeNode()
})
afterAll(() => node.stop())

type Response = Record<string, unknown>
type Push = ReturnType<Channel['push']>

/** How a push ended: its status and response. */
function outcome(push: Push): Promise<[status: string, response?: Response]> {
  return new Promise((resolve) => {
    push.receive('ok', (response) => resolve(['ok', response]))
    push.receive('error', (response) => resolve(['error', response]))
    push.receive('timeout', () => resolve(['timeout']))
  })
}

const next = (channel: Channel, event: string) => new Promise<Response>((resolve) => void channel.on(event, resolve))

async function until(isTrue: () => boolean) {
  for (let waited = 0; !isTrue(); waited += 5) {
    if (waited > 5_000) throw new Error('What was awaited did not happen.')
    await sleep(5)
  }
}

describe.each([
  ['of today', Socket, Presence],
  ['1.5', phoenix15.Socket, phoenix15.Presence],
])('the phoenix client %s', (_version, ClientSocket, ClientPresence) => {
  const sockets: Socket[] = []
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.disconnect()
  })

  function connect(options: Record<string, unknown> = {}, url = node.url): Socket {
    const socket = new ClientSocket(url, { transport: WebSocket, rejoinAfterMs: () => 20, ...options })
    sockets.push(socket)
    socket.connect()
    return socket
  }

  it('joins, pushes, receives broadcasts, and leaves', async () => {
    const channel = connect({ params: { account_id: 'a', inbox_id: 'undefined' } }).channel('shop:1', {})
    const ordered = next(channel, 'ordered')
    const closed = new Promise((resolve) => void channel.onClose(resolve))
    expect(await outcome(channel.join())).toEqual(['ok', {}])
    expect(await outcome(channel.push('order', { cake: 'plum' }))).toEqual(['ok', {}])
    expect(await ordered).toEqual({ cake: 'plum' })
    expect(await outcome(channel.leave())).toEqual(['ok', {}])
    await closed
    await until(() => node.realtime.stats().channels === 0)
  })

  it('loses nothing that it pushes before the join is answered', async () => {
    const channel = connect().channel('oven:1', { delay: 50 })
    void channel.join()
    const pushes = ['rye', 'spelt', 'oat'].map((bread) => outcome(channel.push('bake', { bread })))
    expect(await Promise.all(pushes)).toEqual([
      ['ok', { baked: 'rye' }],
      ['ok', { baked: 'spelt' }],
      ['ok', { baked: 'oat' }],
    ])
  })

  it('receives the reason when a join or push is refused', async () => {
    const socket = connect()
    const refused = socket.channel('oven:1', { refuse: true })
    expect(await outcome(refused.join())).toEqual(['error', { reason: 'too hot', oven: '1' }])
    refused.leave()
    const channel = socket.channel('oven:2', {})
    await outcome(channel.join())
    expect(await outcome(channel.push('burn', {}))).toEqual(['error', { reason: 'internal error' }])
    expect(await outcome(channel.push('fry', {}))).toEqual(['error', { reason: 'unknown event' }])
    expect(await outcome(channel.push('bake', { bread: 'rye' }))).toEqual(['ok', { baked: 'rye' }])
  })

  it('joins again by itself after the channel crashed', async () => {
    const crashing = await startRealtimeNode()
    const channel = connect({}, crashing.url).channel('mixer:1', {})
    let errors = 0
    let joins = 0
    channel.onError(() => void errors++)
    channel.join().receive('ok', () => joins++)
    await until(() => joins === 2)
    expect(errors).toBe(1)
    await crashing.stop()
  })

  it('keeps the newer of two channels on the same topic', async () => {
    const socket = connect()
    const [older, newer] = [socket.channel('oven:1', {}), socket.channel('oven:1', {})]
    await outcome(older.join())
    await outcome(newer.join())
    await until(() => older.state === 'closed')
    expect(await outcome(newer.push('bake', { bread: 'rye' }))).toEqual(['ok', { baked: 'rye' }])
    expect(newer.state).toBe('joined')
  })

  it('recovers from a join that was answered too late', async () => {
    const params = { delay: 120 as number | undefined }
    const channel = connect().channel('oven:1', () => params)
    const timedOut = new Promise((resolve) => channel.join(60).receive('timeout', resolve))
    await timedOut
    params.delay = undefined
    await until(() => channel.state === 'joined')
    expect(await outcome(channel.push('bake', { bread: 'rye' }))).toEqual(['ok', { baked: 'rye' }])
  })

  it('stays connected by its heartbeat and is closed without', async () => {
    const strict = await startRealtimeNode({ settings: { idleMs: 2_000, sweepMs: 50 } })
    const beating = connect({ heartbeatIntervalMs: 100 }, strict.url)
    const silent = connect({ reconnectAfterMs: () => 30_000 }, strict.url)
    let closes = 0
    beating.onClose(() => void closes++)
    await new Promise((resolve) => silent.onClose(resolve))
    expect([beating.isConnected(), closes]).toEqual([true, 0])
    beating.disconnect()
    await strict.stop()
  })

  it('rejoins after the server was restarted', async () => {
    const first = await startRealtimeNode()
    const channel = connect({ reconnectAfterMs: () => 20 }, first.url).channel('oven:1', {})
    await outcome(channel.join())
    await first.stop()
    expect(channel.state).not.toBe('joined')
    const second = await startRealtimeNode({ port: first.port })
    await until(() => channel.state === 'joined')
    expect(await outcome(channel.push('bake', { bread: 'rye' }))).toEqual(['ok', { baked: 'rye' }])
    sockets.splice(0).map((socket) => socket.disconnect())
    await second.stop()
  })

  it('is closed for good when the channel closes it', async () => {
    const channel = connect().channel('shop:1', {})
    await outcome(channel.join())
    void channel.push('dismiss', {})
    await until(() => channel.state === 'closed')
    await sleep(60)
    expect(channel.state).toBe('closed')
  })

  it('leaves the sender out of a broadcast from it', async () => {
    const channels = [connect(), connect()].map((socket) => socket.channel('shop:1', {}))
    const received: string[] = []
    for (const [index, channel] of channels.entries()) {
      channel.on('whispered', () => void received.push(`whispered to ${index}`))
      await outcome(channel.join())
    }
    await outcome(channels[0]!.push('whisper', { secret: 'butter' }))
    await until(() => received.length > 0)
    await sleep(20)
    expect(received).toEqual(['whispered to 1'])
  })

  describe('with its presence helper', () => {
    function enter(name?: string, shop = 'shop:presence') {
      const channel = connect().channel(shop, { name })
      const presence = new ClientPresence(channel)
      const places = () =>
        Object.fromEntries(presence.list((key, { metas }) => [key, metas.map((meta: Response) => meta.place)]))
      const joined = outcome(channel.join())
      return { channel, presence, places, joined }
    }

    it('sees who is present, joins, changes and leaves', async () => {
      const ada = enter('Ada')
      const ben = enter('Ben')
      const door = { Ada: ['door'], Ben: ['door'] }
      await until(() => JSON.stringify(ben.places()) === JSON.stringify(door) && 'Ben' in ada.places())
      await outcome(ben.channel.push('move', { name: 'Ben', place: 'counter' }))
      await until(() => ada.places().Ben?.[0] === 'counter')
      expect(ada.places()).toEqual({ Ada: ['door'], Ben: ['counter'] })
      expect(await outcome(ada.channel.push('who', {}))).toMatchObject([
        'ok',
        { Ben: { metas: [{ place: 'counter', phx_ref: expect.any(String), phx_ref_prev: expect.any(String) }] } },
      ])
      ben.channel.leave()
      await until(() => !('Ben' in ada.places()))
      expect(ada.places()).toEqual({ Ada: ['door'] })
    })

    it('sees all connections of a key, and the key until the last one has left', async () => {
      const watcher = enter()
      const [one, two] = [enter('Ada'), enter('Ada')]
      await until(() => watcher.places().Ada?.length === 2)
      await outcome(one.channel.leave())
      await until(() => watcher.places().Ada?.length === 1)
      await outcome(two.channel.leave())
      await until(() => !('Ada' in watcher.places()))
    })
  })
})
