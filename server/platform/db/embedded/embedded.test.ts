import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { reachDatabase } from '../../../../bin/database.ts'
import { readConfig } from '../../../config.ts'
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../embedded.ts'
import { fallbackFor } from './fallback.ts'

const log = pino({ level: 'silent' })
const isRoot = process.getuid?.() === 0
let directory: string
let dataDir: string
let running: EmbeddedDatabase[] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley embedded '))
  await chmod(directory, 0o755)
  dataDir = join(directory, 'data of ours')
})

afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()))
  running = []
})

afterAll(() => rm(directory, { recursive: true, force: true }))

async function start(options: Partial<Parameters<typeof startEmbeddedDatabase>[0]> = {}): Promise<EmbeddedDatabase> {
  const server = await startEmbeddedDatabase({ dataDir, log, ...options })
  running.push(server)
  return server
}

async function query(server: EmbeddedDatabase, text: string): Promise<unknown[]> {
  const client = new pg.Client(server.connection)
  await client.connect()
  return client
    .query(text)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

async function untilGone(pid: number): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await sleep(10)
  }
  throw new Error(`Process ${pid} is still there`)
}

const pidFile = (pid = 0) => `${pid}\n${dataDir}/postgres\n1\n5432\n${dataDir}/socket\n\n`

/**
 * Starts a server in a process of its own on `dataDir` and kills it without warning; returns the pid of its postmaster.
 * With `stays`, what would stop the postmaster together with its server is killed first.
 */
async function abandonPostmaster(sql: string, { stays }: { stays: boolean }): Promise<number> {
  const code = `
    import { startEmbeddedDatabase } from ${JSON.stringify(resolve(import.meta.dirname, '../embedded.ts'))}
    import { pino } from 'pino'
    import pg from 'pg'
    import { execFileSync } from 'node:child_process'
    const server = await startEmbeddedDatabase({ dataDir: ${JSON.stringify(dataDir)}, log: pino({ level: 'silent' }) })
    const client = new pg.Client(server.connection)
    await client.connect()
    await client.query(${JSON.stringify(sql)})
    if (${stays}) execFileSync('pkill', ['-KILL', '-P', String(process.pid), '-x', 'sh'])
    console.log(server.pid())`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  return Number(String(printed))
}

test('the embedded database is PostgreSQL 18, works on a path with a space, and sorts text the same on every system', async () => {
  const server = await start()
  const [facts] = await query(
    server,
    `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('fsync') AS fsync,
            current_setting('listen_addresses') AS addresses, lower('ĐỖ') AS lower, datlocprovider AS provider
       FROM pg_database WHERE datname = current_database()`,
  )
  expect(facts).toEqual({ version: 18, fsync: 'on', addresses: '', lower: 'đỗ', provider: 'b' })
  expect(server.connection.host).toBe(join(dataDir, 'socket'))
})

test('data is still there after a restart', async () => {
  const first = await start()
  await query(first, 'CREATE TABLE kept AS SELECT 1 AS id')
  await first.stop()
  expect(await query(await start(), 'SELECT id FROM kept')).toEqual([{ id: 1 }])
})

test.runIf(isRoot)('started by root, it runs under an unprivileged account', async () => {
  const server = await start()
  expect((await stat(`/proc/${server.pid()}`)).uid).not.toBe(0)
})

test('a second server on the same data folder is refused with an explanation, and the first keeps running', async () => {
  const first = await start()
  await expect(start()).rejects.toThrow(`Another Parley server is using the data folder ${dataDir}`)
  expect(await query(first, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('two servers run at the same time on two data folders', async () => {
  const servers = await Promise.all([start(), start({ dataDir: join(directory, 'second') })])
  const answers = await Promise.all(servers.map((server) => query(server, 'SHOW data_directory')))
  expect(answers).toEqual([
    [{ data_directory: join(dataDir, 'postgres') }],
    [{ data_directory: join(directory, 'second', 'postgres') }],
  ])
})

test('a killed postmaster is restarted, and the pool reconnects', async () => {
  const server = await start()
  await query(server, 'CREATE TABLE survives AS SELECT 2 AS id')
  const pool = new pg.Pool({ ...server.connection, max: 1 })
  pool.on('error', () => undefined)
  await pool.query('SELECT 1')
  const killed = server.pid()
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => server.pid(), { timeout: 10_000 }).not.toBe(killed)
  await expect
    .poll(() => pool.query('SELECT id FROM survives').then(({ rows }) => rows, String), { timeout: 10_000 })
    .toEqual([{ id: 2 }])
  await pool.end()
})

test('a postmaster that keeps dying is no longer restarted, and the reason is reported once', async () => {
  const server = await start()
  const reasons: string[] = []
  const other = await start({ dataDir: join(directory, 'second'), onExit: ({ message }) => reasons.push(message) })
  await writeFile(join(directory, 'second', 'postgres', 'postgresql.conf'), 'no_such_setting = 1\n')
  process.kill(other.pid(), 'SIGKILL')
  await expect.poll(() => reasons, { timeout: 18_000 }).toHaveLength(1)
  expect(reasons[0]).toContain('PostgreSQL did not start')
  await writeFile(join(directory, 'second', 'postgres', 'postgresql.conf'), '')
  expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a killed server or command leaves no postmaster running', async () => {
  const orphan = await abandonPostmaster('CREATE TABLE left_alone AS SELECT 5 AS id', { stays: false })
  await untilGone(orphan)
  expect(await query(await start(), 'SELECT id FROM left_alone')).toEqual([{ id: 5 }])
})

test('a postmaster that was left running is stopped by the next server, and no committed data is lost', async () => {
  const orphan = await abandonPostmaster('CREATE TABLE acknowledged AS SELECT 3 AS id', { stays: true })
  process.kill(orphan, 0)
  const server = await start()
  expect(server.pid()).not.toBe(orphan)
  expect(await query(server, 'SELECT id FROM acknowledged')).toEqual([{ id: 3 }])
  await untilGone(orphan)
})

test('after server and postmaster were both killed, the next start succeeds', async () => {
  const orphan = await abandonPostmaster('CREATE TABLE twice AS SELECT 4 AS id', { stays: true })
  process.kill(orphan, 'SIGKILL')
  expect(await query(await start(), 'SELECT id FROM twice')).toEqual([{ id: 4 }])
})

test('a postmaster that is a zombie process does not prevent the start', async () => {
  // Its parent is this process' child `sh`, which never waits for it.
  const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 30'])
  const [printed] = await once(parent.stdout, 'data')
  const zombie = Number(String(printed))
  await expect.poll(() => readFile(`/proc/${zombie}/stat`, 'utf8')).toMatch(/\) Z /)
  await (await start()).stop()
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), pidFile(zombie))
  await writeFile(join(dataDir, 'socket', '.s.PGSQL.5432.lock'), pidFile(zombie))
  expect(await query(await start(), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  parent.kill()
})

test('a stale pid file whose number now belongs to another process does not prevent the start', async () => {
  await (await start()).stop()
  const stranger = spawn('sleep', ['30'])
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), pidFile(stranger.pid))
  expect(await query(await start(), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(stranger.exitCode).toBeNull()
  stranger.kill()
})

test('a path too long for a socket does not prevent the start, and nothing is left in the temp folder', async () => {
  const before = (await readdir(tmpdir())).filter((name) => /^context-.{6}$/.test(name))
  const server = await start({ dataDir: join(directory, 'a'.repeat(60), 'b'.repeat(60), 'data') })
  expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await server.stop()
  expect((await readdir(tmpdir())).filter((name) => /^context-.{6}$/.test(name))).toEqual(before)
})

test('without unix sockets it listens on the loopback address and requires a password', async () => {
  const server = await start({ dataDir: join(directory, 'loopback'), listen: 'loopback' })
  expect(server.connection.host).toBe('127.0.0.1')
  expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  const stranger = new pg.Client({ ...server.connection, password: 'wrong' })
  await expect(stranger.connect()).rejects.toThrow('password authentication failed')
  await server.stop()
  expect(
    await query(await start({ dataDir: join(directory, 'loopback'), listen: 'loopback' }), 'SELECT 1 AS one'),
  ).toEqual([{ one: 1 }])
})

test.runIf(isRoot)(
  'started by root below a folder that others cannot enter, it uses a folder in /var/lib/parley, and commands find that',
  async () => {
    const closed = join(directory, 'closed')
    const requested = join(closed, 'data')
    await mkdir(closed, { mode: 0o700 })
    const server = await start({ dataDir: requested })
    expect(server.dataDir).toBe(fallbackFor(requested))
    const { connection } = await reachDatabase(readConfig({ DATA_DIR: requested }), log)
    expect(connection).toMatchObject({ host: server.connection.host })
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await server.stop()
    await rm(server.dataDir, { recursive: true })
  },
)

test('an interrupted initialisation is repeated', async () => {
  const folder = join(directory, 'cut off')
  await mkdir(join(folder, 'postgres.0123abcd', 'base'), { recursive: true })
  const server = await start({ dataDir: folder })
  expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(await readdir(folder)).not.toContain('postgres.0123abcd')
})

test('a database of another major version is refused with an explanation', async () => {
  await (await start()).stop()
  const file = join(dataDir, 'postgres', 'PG_VERSION')
  const version = await readFile(file, 'utf8')
  await writeFile(file, '17\n')
  await expect(start()).rejects.toThrow(
    'was created by PostgreSQL 17, but this version of Parley includes PostgreSQL 18',
  )
  await writeFile(file, version)
})

test('sessions that end because the database is stopped are not logged as warnings', async () => {
  const lines: string[] = []
  const server = await start({ log: pino({ level: 'warn' }, { write: (line) => void lines.push(line) }) })
  const client = new pg.Client(server.connection)
  client.on('error', () => undefined)
  await client.connect()
  await server.stop()
  expect(lines.filter((line) => line.includes('FATAL'))).toEqual([])
})
