import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Attack } from './attacks.ts'

const DRIP_MS = 2_000
/** A socket joins this many topics, and then waits as long as a patient attacker. */
const TOPICS = 200
const SOCKET_MS = 5_000

/** Announces a form of 5 MB, and sends ten bytes of it every two seconds. */
export async function openSlowForms({ url, index, signal }: Attack): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), localAddress: `127.0.3.${1 + (index % 4)}` })
  const ended = whenClosed(socket)
  socket.resume()
  await once(socket, 'connect')
  socket.write(
    `POST /api/upload HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 203.0.113.${1 + (index % 4)}\r\ncontent-type: multipart/form-data; boundary=edge\r\ncontent-length: 5000000\r\n\r\n--edge\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n`,
  )
  await drip(
    signal,
    () => !socket.destroyed,
    () => socket.write('xxxxxxxxxx'),
  )
  socket.destroy()
  await ended
}

/** Begins a socket frame of 200 kB and never finishes it. */
export async function openUnfinishedFrames({ url, index, signal }: Attack): Promise<void> {
  const ws = openSocket(url, index)
  const ended = whenClosed(ws)
  await once(ws, 'open')
  const { _socket: stream } = ws as unknown as { _socket: Socket }
  const header = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 3, 0x0d, 0x40, 1, 2, 3, 4])
  stream.write(Buffer.concat([header, Buffer.alloc(190_000, 'x')]))
  await drip(
    signal,
    () => ws.readyState === WebSocket.OPEN,
    () => stream.write('xxxxxxxxxx'),
  )
  ws.terminate()
  await ended
}

/** Joins topics that do not exist, and some that others own. */
export async function joinMadeUpTopics({ url, index }: Attack): Promise<void> {
  const ws = openSocket(url, index)
  const ended = whenClosed(ws)
  await once(ws, 'open')
  for (let i = 0; i < TOPICS && ws.readyState === WebSocket.OPEN; i++) {
    const kinds = ['conversation', 'notification', 'room', 'events:admin', 'made-up', 'functions']
    ws.send(JSON.stringify([`${i}`, `${i}`, `${kinds[i % kinds.length]}:${randomUUID()}`, 'phx_join', {}]))
    if (i % 10 === 9) await sleep(100)
  }
  await Promise.race([ended, sleep(SOCKET_MS)])
  ws.terminate()
  await ended
}

/** Connects and says nothing more until it is dropped; at most 20 from one network. */
export async function openIdleSmtpConnections({ smtpPort, index }: Attack): Promise<void> {
  const localAddress = `127.0.2.${1 + Math.floor(index / 20)}`
  const socket = connect({ port: smtpPort, host: '127.0.0.1', localAddress })
  socket.resume()
  socket.once('connect', () => socket.write('EHLO idle.example\r\n'))
  await whenClosed(socket)
}

function openSocket(url: string, index: number): WebSocket {
  return new WebSocket(`${url.replace('http', 'ws')}/socket/websocket?vsn=2.0.0`, {
    headers: { 'x-forwarded-for': `203.0.113.${100 + (index % 4)}` },
  })
}

/** Errors do not matter: being refused or dropped is what these attacks are about. */
function whenClosed(connection: Socket | WebSocket): Promise<void> {
  connection.on('error', () => undefined)
  return new Promise((resolve) => connection.once('close', () => resolve()))
}

async function drip(signal: AbortSignal, isOpen: () => boolean, write: () => unknown): Promise<void> {
  while (!signal.aborted && isOpen()) {
    await sleep(DRIP_MS)
    if (isOpen()) write()
  }
}
