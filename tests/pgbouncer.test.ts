import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { command, type FreshDatabase } from './support/database.ts'
import { runParley } from './support/operator.ts'
import { startPgBouncer } from './support/pgbouncer.ts'
import { type Postgres, startPostgres } from './support/postgres.ts'
import { startTestServer } from './support/server.ts'
import { makeWorld } from './support/world.ts'

/** Of its own, because PgBouncer runs as a user who may not enter the folder of the tests' database. */
let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres('loopback')
})
afterAll(() => postgres.stop())

interface Pooled {
  /** The database, reached through the pooler. */
  database: FreshDatabase
  url: string
}

/** Runs work with a database of its own behind PgBouncer with these settings. */
async function behindPgBouncer(settings: Record<string, string>, work: (pooled: Pooled) => Promise<void>) {
  const name = `test_${randomBytes(6).toString('hex')}`
  await command(postgres.address, `create database ${name}`)
  const pooler = await startPgBouncer({ ...postgres.address, database: name }, settings)
  const { user, port } = pooler.address
  const database = { connection: pooler.address, template: 'template1', drop: async () => undefined }
  await work({ database, url: `postgres://${user}@127.0.0.1:${port}/${name}` }).finally(() => pooler.stop())
}

test('behind PgBouncer in session mode everything works, whatever the database sets for its sessions', async () => {
  await behindPgBouncer({ pool_mode: 'session', default_pool_size: '30' }, async ({ database, url }) => {
    const { connection } = database
    const client = new pg.Client(connection)
    await client.connect()
    for (const setting of [`datestyle = 'SQL, DMY'`, `timezone = 'Asia/Tokyo'`, `intervalstyle = 'sql_standard'`])
      await client.query(`alter database ${connection.database} set ${setting}`)
    await client.end()
    const server = await startTestServer({ DATABASE_URL: url }, undefined, database)
    try {
      const { carla, ben } = await makeWorld(server)
      const body = { conversation: { customer_id: carla.customer_id, message: { body: 'Is it open?' } } }
      const started = await server.request('POST', '/api/conversations', { token: ben.token, body })
      expect(started.status).toBe(201)
      expect(started.body.data.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
      const form = new FormData()
      form.append('file', new Blob(['hello']), 'hello.txt')
      const upload = { method: 'POST', body: form, headers: { authorization: ben.token } }
      const uploaded = await fetch(`${server.url}/api/upload`, upload)
      expect(uploaded.status).toBe(201)
      expect(await uploaded.json()).toMatchObject({ data: { file_url: expect.stringMatching(/^https?:/) } })
    } finally {
      await server.close()
    }
  })
})

test.for(['transaction', 'statement'])(
  'behind PgBouncer in %s mode neither the server nor a command starts, and both name session mode',
  async (pool_mode) => {
    await behindPgBouncer({ pool_mode }, async ({ database, url }) => {
      const starting = startTestServer({ DATABASE_URL: url }, undefined, database)
      await expect(starting).rejects.toThrow(/Parley needs sessions: set pool_mode = session/)
      const file = join(tmpdir(), `parley-${database.connection.database}.gz`)
      const { output, code } = await runParley('export', file, { DATABASE_URL: url })
      expect(output).toMatch(/Parley needs sessions: set pool_mode = session/)
      expect(code).toBe(1)
    })
  },
)

test('a setting that PgBouncer refuses is named', async () => {
  await behindPgBouncer({ pool_mode: 'session' }, async ({ url }) => {
    const odd = `${url}?options=-c%20search_path%3Dpublic`
    const { output } = await runParley('export', '/tmp/x.gz', { DATABASE_URL: odd })
    expect(output).toMatch(/refuses a setting \(unsupported startup parameter: options\)/)
  })
})
