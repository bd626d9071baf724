import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { command, type FreshDatabase } from './support/database.ts'
import { type Postgres, startPostgres } from './support/postgres.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { makeWorld } from './support/world.ts'

const SERVERS = 2
/** Three of them are reserved, and both servers together would open more. */
const MAX_CONNECTIONS = 20

let postgres: Postgres
let database: FreshDatabase
beforeAll(async () => {
  postgres = await startPostgres('loopback', { max_connections: String(MAX_CONNECTIONS) })
  await command(postgres.address, 'create database few')
  await command(postgres.address, `create role support login password '${postgres.address.password ?? ''}'`)
  await command(postgres.address, 'alter database few owner to support')
  const connection = { ...postgres.address, user: 'support', database: 'few' }
  database = { connection, template: 'template1', drop: async () => undefined }
})
afterAll(() => postgres.stop())

const urlOf = ({ connection }: FreshDatabase) =>
  `postgres://${connection.user}:${connection.password ?? ''}@127.0.0.1:${connection.port}/${connection.database}`

function startServer(more: Record<string, string> = {}): Promise<TestServer> {
  return startTestServer({ DATABASE_URL: urlOf(database), ...more }, undefined, database)
}

test('two servers on a database with too few connections answer, or say that they cannot, and keep running', async () => {
  const servers = await Promise.all(Array.from({ length: SERVERS }, () => startServer()))
  try {
    const { ada } = await makeWorld(servers[0]!)
    const calls = servers.flatMap((server) =>
      Array.from({ length: 100 }, () => server.request('GET', '/api/tags', { token: ada.token })),
    )
    const answers = await Promise.all(calls)
    for (const { status, body } of answers.filter(({ status }) => status !== 200)) {
      expect(status).toBe(503)
      expect(body.error.message).toBe('The database has too many connections. Try again in a moment.')
    }
    // Afterwards each of them has as many as it needs.
    for (const server of servers)
      await expect.poll(async () => (await server.request('GET', '/api/tags', { token: ada.token })).status).toBe(200)
  } finally {
    for (const server of servers) await server.close()
  }
})

test('with DATABASE_CONNECTIONS two servers share a small database without a refusal', async () => {
  const servers = await Promise.all(Array.from({ length: SERVERS }, () => startServer({ DATABASE_CONNECTIONS: '8' })))
  try {
    const { body } = await servers[0]!.request('POST', '/api/session', {
      body: { user: { email: 'ada@acme.test', password: 'correct horse battery' } },
    })
    const calls = servers.flatMap((server) =>
      Array.from({ length: 100 }, () => server.request('GET', '/api/tags', { token: body.data.token })),
    )
    expect([...new Set((await Promise.all(calls)).map(({ status }) => status))]).toEqual([200])
  } finally {
    for (const server of servers) await server.close()
  }
})

test('a database that becomes read-only takes the server out of service, and writes are refused until it is writable', async () => {
  const server = await startServer({ DATABASE_CONNECTIONS: '8' })
  const client = new pg.Client(postgres.address)
  await client.connect()
  try {
    await client.query('alter database few set default_transaction_read_only to on')
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'few'`)
    await expect
      .poll(async () => (await server.request('GET', '/ready')).body.database)
      .toMatchObject({
        ok: false,
        says: expect.stringContaining('read-only'),
      })
    expect((await server.request('GET', '/ready')).status).toBe(503)
    const { status, body } = await server.request('POST', '/api/registration', {
      body: {
        user: {
          company_name: 'Late',
          email: 'late@late.test',
          password: 'correct horse battery',
          password_confirmation: 'correct horse battery',
        },
      },
    })
    expect(status).toBe(503)
    expect(body.error.message).toMatch(/read-only/)
    await expect(startServer()).rejects.toThrow(/read-only/)
  } finally {
    await client.query('alter database few set default_transaction_read_only to off')
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'few'`)
    await client.end()
    await expect.poll(async () => (await server.request('GET', '/ready')).status).toBe(200)
    await server.close()
  }
})
