import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { hashToken } from '#server/platform/secrets.ts'
import { SERVER_POOL } from './bare-store.ts'
import { LEAST_READS } from './least-statements.ts'

/**
 * The least server that can answer the reads of `bench:reads`: it looks up the session of the caller and answers with
 * the JSON that one prepared statement makes. No rules, rate limits, parsing against a schema or choice of a plan.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: SERVER_POOL })
const SESSION = 'select account_id, user_id from auth_sessions where access_hash = $1'

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://least')
  const name = pathname.slice(1)
  const values = [hashToken(request.headers.authorization ?? '')]
  const { rows: sessions } = await pool.query({ name: 'session', text: SESSION, values })
  const text = LEAST_READS[name as keyof typeof LEAST_READS]
  if (sessions.length === 0 || !text) return response.writeHead(404).end()
  const parameters = text.includes('$2')
    ? [sessions[0].account_id, searchParams.get('value')]
    : [sessions[0].account_id]
  const { rows } = await pool.query({ name, text, values: parameters })
  const answer = JSON.stringify(rows[0].answer)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
  response.end(answer)
})
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('SIGTERM', () => process.exit(0))
