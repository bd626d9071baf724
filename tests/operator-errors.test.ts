import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '#server/platform/db/migrate.ts'
import { adviceForOperator } from '#server/platform/db/problems.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { runParley, urlOf } from './support/operator.ts'

const STRANGER = 'parley_without_rights'
let folder: string
let database: FreshDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-operator-'))
  database = await freshDatabase('template0')
  await asOwner(`create role ${STRANGER} login password '${database.connection.password ?? ''}'`)
})
afterAll(async () => {
  await asOwner(`drop role ${STRANGER}`)
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function asOwner(sql: string) {
  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

test.each([
  [
    'is down',
    () => 'postgres://parley@127.0.0.1:1/parley',
    /^The database cannot be reached: .*ECONNREFUSED.*DATABASE_URL/,
  ],
  [
    'does not exist',
    () => urlOf(database).replace(database.connection.database, 'nowhere'),
    /^The database in DATABASE_URL does not exist \(.*nowhere/,
  ],
  [
    'offers no TLS',
    () => `${urlOf(database)}&sslmode=require`,
    /^The database offers no TLS \(.*: enable it there, or remove sslmode/,
  ],
  ['knows no such user', () => urlOf(database, 'nobody_at_all'), /^The database refused the user name or password/],
])('commands say in a sentence that the database %s', async (_, url, sentence) => {
  const { code, output } = await runParley('export', join(folder, 'x.gz'), { DATABASE_URL: url(), DATA_DIR: folder })
  expect(output).toMatch(sentence)
  expect(output.trim().split('\n')).toHaveLength(1)
  expect(code).toBe(1)
})

/** Starts a server as an operator does, to its end. */
async function startRefused(env: Record<string, string>) {
  const main = resolve(import.meta.dirname, '../server/main.ts')
  const child = spawn(process.execPath, [main], { env: { PATH: process.env.PATH, PORT: '0', ...env } })
  const [output, code] = await Promise.all([text(child.stderr), once(child, 'exit').then(([status]) => status)])
  return { output: output.trim(), code }
}

test.for(['/proc/nowhere', '/dev/null/data'])(
  'a data folder that cannot exist (%s) is refused in one sentence, with the embedded database and with an own one',
  async (DATA_DIR) => {
    for (const DATABASE_URL of ['', 'postgres://parley@127.0.0.1:1/parley']) {
      const { code, output } = await startRefused({ DATA_DIR, DATABASE_URL })
      expect(output).toMatch(
        /^\S.* (cannot be created|cannot be used|is no folder).*: .*set DATA_DIR to a folder of your own.*\.$/,
      )
      expect(code).toBe(1)
    }
  },
)

test('a refused start leaves no secret key behind', async () => {
  const DATA_DIR = join(folder, 'refused')
  const { code, output } = await startRefused({ DATA_DIR, DATABASE_URL: 'postgres://parley@127.0.0.1:1/parley' })
  expect(output).toMatch(/^The database cannot be reached/)
  expect(code).toBe(1)
  expect(await readdir(DATA_DIR)).toEqual([])
})

test('a file that cannot be written is named in the error', async () => {
  const path = join(folder, 'no such folder', 'x.gz')
  const filled = await freshDatabase()
  const client = new pg.Client(filled.connection)
  await client.connect()
  await client.query(`insert into installation (key_id) values ('used once')`).finally(() => client.end())
  const { code, output } = await runParley('export', path, { DATABASE_URL: urlOf(filled), DATA_DIR: folder })
  await filled.drop()
  expect(output).toMatch(/^.*no such folder\/x\.gz\.part cannot be used \(ENOENT/)
  expect(code).toBe(1)
})

test('for a database user without rights the error says what to do', async () => {
  const connection = { ...database.connection, user: STRANGER }
  const refused = await migrate(connection, pino({ level: 'silent' })).catch((error) => adviceForOperator(error))
  expect(refused).toMatch(
    /^The database user lacks permissions \(permission denied for schema public\): make it the owner/,
  )
})

test('a database that accepts connections but does not respond is reported within seconds, by the server and by commands', async () => {
  const silent = createServer()
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
  const { port } = silent.address() as AddressInfo
  const url = `postgres://parley@127.0.0.1:${port}/parley`
  const sentence = 'The database accepts connections but does not respond'
  const started = performance.now()
  const [, { output }] = await Promise.all([
    expect(migrate({ connectionString: url }, pino({ level: 'silent' }))).rejects.toThrow(sentence),
    runParley('export', join(folder, 'x.gz'), { DATABASE_URL: url, DATA_DIR: folder }),
  ])
  expect(output).toContain(sentence)
  // Far more than a busy machine needs, and still finite.
  expect(performance.now() - started).toBeLessThan(45_000)
  silent.close()
})
