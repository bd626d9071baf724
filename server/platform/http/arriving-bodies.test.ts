import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { test as base, expect } from 'vitest'
import { ARRIVAL_LIMITS, type ArrivalLimits } from './arriving-bodies.ts'
import { listen } from './listening.ts'
import { createHttpServer } from './server.ts'

interface Client {
  socket: Socket
  /** What the server has sent. */
  answer: () => string
}

const MB = 1_000_000

/** A server with these limits, and clients that send a body by hand. */
const test = base.extend('serve', ({ task: _ }, { onCleanup }) => async (limits: Partial<ArrivalLimits>) => {
  const app = await createHttpServer(pino({ level: 'silent' }), 0, {
    stopMs: 50,
    arrivals: { ...ARRIVAL_LIMITS, ...limits },
  })
  onCleanup(() => app.close())
  app.post('/size', { bodyLimit: 20 * MB }, async ({ body }) => ({ bytes: JSON.stringify(body).length }))
  const { port } = new URL(await listen(app, { port: 0, host: '127.0.0.1' }))
  return async (length: number): Promise<Client> => {
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    let received = ''
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        received += chunk
      })
    socket.write(
      `POST /size HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`,
    )
    return { socket, answer: () => received }
  }
})

const statusOf = ({ answer }: Client) => Number(/^HTTP\/1.1 (\d+)/.exec(answer())?.[1])

test('a body of which too little arrives is cut off with an explanation, and a slow but steady one is not', async ({
  serve,
}) => {
  const send = await serve({ windowMs: 1_000, bytesPerWindow: 200 })
  const [idle, steady] = [await send(5_000), await send(5_000)]
  idle.socket.write('"')
  let sent = 0
  while (!idle.answer() || sent < 3_000) {
    if (sent < 4_900) steady.socket.write(sent === 0 ? `"${'x'.repeat(99)}` : 'x'.repeat(100))
    sent += 100
    await sleep(50)
  }
  expect(statusOf(idle)).toBe(408)
  expect(idle.answer()).toContain('arrived too slowly')
  steady.socket.write(`${'x'.repeat(Math.max(0, 4_999 - Math.min(sent, 4_900)))}"`)
  await expect.poll(() => statusOf(steady)).toBe(200)
})

test('if unfinished bodies take too much memory, the slowest are cut off and the others arrive', async ({ serve }) => {
  const send = await serve({ bytes: 6 * MB, bytesPerNetwork: 6 * MB })
  const stalled = await Promise.all([send(5 * MB), send(5 * MB)])
  for (const { socket } of stalled) socket.write(Buffer.alloc(2 * MB, 'x'))
  const quick = await send(4 * MB)
  quick.socket.write('"')
  let sent = 1
  while (!stalled.some(({ answer }) => answer())) {
    if (sent < 3.9 * MB) quick.socket.write(Buffer.alloc(100_000, 'x'))
    sent = Math.min(sent + 100_000, 3_900_001)
    await sleep(100)
  }
  quick.socket.write(`${'x'.repeat(4 * MB - 1 - sent)}"`)
  await expect.poll(() => statusOf(quick), { timeout: 10_000 }).toBe(200)
  expect(stalled.filter(({ answer }) => answer()).map(statusOf)).toEqual([408])
})

test('if too many bodies arrive at once, the slowest are cut off', async ({ serve }) => {
  const send = await serve({ bodies: 10 })
  const clients = await Promise.all(Array.from({ length: 12 }, () => send(1_000)))
  await expect.poll(() => clients.filter(({ answer }) => answer()).map(statusOf)).toEqual([408, 408])
})
