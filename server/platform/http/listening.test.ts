import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { listen } from './listening.ts'
import { createHttpServer } from './server.ts'

test('an incomplete request does not prevent the server from stopping', async () => {
  const app = await createHttpServer(pino({ level: 'silent' }), 0, { stopMs: 50 })
  const { port } = new URL(await listen(app, { port: 0, host: '127.0.0.1' }))
  const arrived = once(app.server, 'request')
  const stranger = connect(Number(port), '127.0.0.1')
  stranger.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{')
  await arrived
  const cut = once(stranger, 'close')
  stranger.resume()
  await app.close()
  await cut
  expect(app.server.listening).toBe(false)
})

test('requests that are being answered when the server stops get their answers, on every connection', async () => {
  const app = await createHttpServer(pino({ level: 'silent' }), 0)
  const CLIENTS = 40
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  let waiting = 0
  app.get('/slow', async () => {
    waiting++
    if (waiting === CLIENTS) started.resolve()
    await finish.promise
    return { done: true }
  })
  const url = await listen(app, { port: 0, host: '127.0.0.1' })
  const answers = Array.from({ length: CLIENTS }, () => fetch(`${url}/slow`))
  await started.promise
  const closed = app.close()
  finish.resolve()
  const statuses = await Promise.all(answers.map(async (answer) => (await answer).status))
  expect(new Set(statuses)).toEqual(new Set([200]))
  await closed
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test.runIf(process.platform === 'linux')('many clients may connect at the same moment', async () => {
  const CLIENTS = 1_000
  expect(Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))).toBeGreaterThan(CLIENTS)
  const app = await createHttpServer(pino({ level: 'silent' }), 0, { stopMs: 50 })
  const { port } = new URL(await listen(app, { port: 0, host: '127.0.0.1' }))
  const clients = Array.from({ length: CLIENTS }, () => connect(Number(port), '127.0.0.1'))
  // Node connects before the next turn of the event loop, in which the server accepts.
  await new Promise(process.nextTick)
  const ESTABLISHED = '01'
  const address = `0100007F:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  const connected = lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , to, state]) => to === address && state === ESTABLISHED)
  for (const client of clients) client.destroy()
  await app.close()
  expect(connected).toHaveLength(CLIENTS)
})
