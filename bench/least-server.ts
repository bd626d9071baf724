import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import pg from 'pg'
import { hashToken } from '#server/platform/secrets.ts'
import { SERVER_POOL, storeBare } from './bare-store.ts'

/**
 * The least server that can store a message: it looks up the session of the caller, runs the bare transaction and
 * answers with the row. No rules, rate limits, parsing against a schema, event log or sockets.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: SERVER_POOL })

const server = createServer(async (request, response) => {
  const { message } = (await json(request)) as { message: Omit<Parameters<typeof storeBare>[1], 'account_id'> }
  const hash = hashToken(request.headers.authorization ?? '')
  const { rows } = await pool.query('select account_id from auth_sessions where access_hash = $1', [hash])
  if (rows.length === 0) return response.writeHead(401).end()
  const client = await pool.connect()
  const row = await storeBare(client, { ...message, account_id: rows[0].account_id })
  client.release()
  const text = JSON.stringify({ data: row })
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
})
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('SIGTERM', () => process.exit(0))
