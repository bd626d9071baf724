import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createHttpServer, listen } from './server.ts'

test('an incomplete request does not prevent the server from stopping', async () => {
  const app = await createHttpServer(pino({ level: 'silent' }), 0, 50)
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
