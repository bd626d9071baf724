import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { keyOf } from '#tests/support/bakery.ts'
import { openRaw } from '#tests/support/raw-socket.ts'
import { type RealtimeNode, startRealtimeNode } from '#tests/support/realtime-node.ts'

const running: RealtimeNode[] = []
afterEach(async () => {
  for (const node of running.splice(0)) await node.stop()
})

async function start(options: Parameters<typeof startRealtimeNode>[0] = {}): Promise<RealtimeNode> {
  const node = await startRealtimeNode(options)
  running.push(node)
  return node
}

/** The response status of an upgrade: 101 when a socket was opened. */
async function upgrade(node: RealtimeNode, path: string, headers: Record<string, string> = {}) {
  const ws = new WebSocket(`ws://127.0.0.1:${node.port}${path}`, { headers })
  return new Promise<{ status: number; headers: Record<string, unknown> }>((resolve) => {
    ws.on('upgrade', ({ headers: sent }) => resolve({ status: 101, headers: sent }))
    ws.on('unexpected-response', (_request, { statusCode = 0, headers: sent }) => {
      resolve({ status: statusCode, headers: sent })
      ws.terminate()
    })
    ws.on('error', () => undefined)
  })
}

describe('an upgrade', () => {
  it('is accepted from any origin, with or without parameters', async () => {
    const node = await start()
    for (const query of ['', '?vsn=2.0.0&inbox_id=undefined', '?%']) {
      const path = `/socket/websocket${query}`
      expect(await upgrade(node, path, { origin: 'https://elsewhere.example' })).toMatchObject({ status: 101 })
      expect(await upgrade(node, `/${path}`)).toMatchObject({ status: 101 })
    }
  })

  it.each([
    ['a refused caller', '/socket/websocket?as=nobody', 403],
    ['an unknown version', '/socket/websocket?vsn=3.0.0', 400],
    ['an internal error', '/socket/websocket?as=fault', 503],
  ])('is refused for %s', async (_case, path, status) => {
    const node = await start()
    expect(await upgrade(node, path)).toMatchObject({ status })
    expect(node.realtime.stats()).toMatchObject({ sockets: 0 })
  })

  it('takes the token of newer clients from the subprotocols, so that it is in no URL', async () => {
    const node = await start()
    const token = Buffer.from('7-desk').toString('base64url')
    const answer = await upgrade(node, '/socket/websocket?vsn=2.0.0', {
      'sec-websocket-protocol': `phoenix, base64url.bearer.phx.${token}`,
    })
    expect(answer).toMatchObject({ status: 101, headers: { 'sec-websocket-protocol': 'phoenix' } })
    await node.realtime.disconnect({ user_id: 7 })
    await expect.poll(() => node.realtime.stats().sockets).toBe(0)
  })

  it('is refused with a delay for old clients, which retry at once', async () => {
    const node = await start({ settings: { refusalMs: 300 } })
    const before = performance.now()
    expect(await upgrade(node, '/socket/websocket?as=nobody')).toMatchObject({ status: 403 })
    expect(performance.now() - before).toBeGreaterThanOrEqual(290)
  })

  it('is refused at once for newer clients', async () => {
    const node = await start({ settings: { refusalMs: 3_600_000 } })
    const protocols = `phoenix, base64url.bearer.phx.${Buffer.from('nobody').toString('base64url')}`
    const answer = await upgrade(node, '/socket/websocket', { 'sec-websocket-protocol': protocols })
    expect(answer).toMatchObject({ status: 403 })
  })

  it('is refused for an address that opens too many, with the time to wait', async () => {
    const node = await start({ settings: { upgrades: { capacity: 2, perSecond: 0.5 } } })
    const answers = []
    for (let count = 0; count < 3; count++) answers.push(await upgrade(node, '/socket/websocket'))
    expect(answers.map(({ status }) => status)).toEqual([101, 101, 429])
    expect(answers[2]?.headers).toMatchObject({ 'retry-after': '2' })
  })

  it('of another path is answered like any request', async () => {
    const node = await start()
    const body = await new Promise((resolve) => {
      const headers = { connection: 'Upgrade', upgrade: 'h2c' }
      request({ port: node.port, host: '127.0.0.1', path: '/api/me', headers }, (response) => {
        response.setEncoding('utf8').on('data', resolve)
      }).end()
    })
    expect(body).toBe('no such page')
  })

  it('does not negotiate compression', async () => {
    const node = await start()
    const { ws } = await openRaw(node.url)
    expect(ws.extensions).toBe('')
  })
})

describe('disconnecting', () => {
  it('closes the sockets of exactly those callers and ends their presence', async () => {
    const node = await start()
    const connect = async (as: string) => {
      const socket = await openRaw(node.url, `vsn=2.0.0&as=${as}`)
      socket.send(['1', '1', 'shop:1', 'phx_join', { name: as }])
      await socket.replyTo('1')
      return socket
    }
    const [ada, ada2, ben, stranger] = await Promise.all(['1-a', '1-b', '2-a', ''].map(connect))
    await node.realtime.disconnect({ session_id: '1-a' })
    expect(await ada?.closed).toEqual({ code: 1008, reason: 'signed out' })
    await node.realtime.disconnect({ user_id: 1 }, 'account disabled')
    expect(await ada2?.closed).toEqual({ code: 1008, reason: 'account disabled' })
    ben?.send([null, '9', 'phoenix', 'heartbeat', {}])
    stranger?.send([null, '9', 'phoenix', 'heartbeat', {}])
    await Promise.all([ben?.replyTo('9'), stranger?.replyTo('9')])
    expect(Object.keys(await node.realtime.presence.list(keyOf('shop:1')))).toEqual(['2-a', ''])
  })

  it('needs at least one field to select callers', async () => {
    const node = await start()
    const socket = await openRaw(node.url)
    await node.realtime.disconnect({} as { user_id: number })
    socket.send([null, '1', 'phoenix', 'heartbeat', {}])
    expect(await socket.replyTo('1')).toMatchObject({ status: 'ok' })
  })
})

describe('shutting down', () => {
  it('finishes work in progress, asks clients to reconnect, and accepts no new sockets', async () => {
    const node = await start()
    const socket = await openRaw(node.url)
    socket.send(['1', '1', 'oven:1', 'phx_join', {}])
    socket.send(['1', '2', 'oven:1', 'bake', { bread: 'rye', delay: 100 }])
    await socket.replyTo('1')
    const drained = node.realtime.drain()
    expect(await upgrade(node, '/socket/websocket')).toMatchObject({ status: 503 })
    expect(await socket.closed).toEqual({ code: 1012, reason: 'service restart' })
    expect(await socket.replyTo('2')).toMatchObject({ status: 'ok' })
    await drained
  })

  it('does not wait for clients that do not respond', async () => {
    const node = await start({ settings: { drainMs: 100 } })
    const socket = await openRaw(node.url)
    socket.send(['1', '1', 'oven:1', 'phx_join', { delay: 60_000 }])
    socket.ws.pause()
    const began = performance.now()
    await node.realtime.drain()
    // Half of what waiting for the client would take.
    expect(performance.now() - began).toBeLessThan(30_000)
    expect(node.realtime.stats()).toMatchObject({ sockets: 0 })
  })
})
