import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdir, mkdtemp, open, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestServer, type TestServer } from './support/server.ts'
import { freePort, ServerProcess } from './support/server-process.ts'
import { TestSocket } from './support/sockets.ts'
import { createWorld, startConversation, type World } from './support/world.ts'

let server: TestServer
let world: World
let conversation_id: string

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
  ;({ conversation_id } = await startConversation(server, world.carla))
})
afterAll(() => server.close())

const FULL = `could not extend file "base/5/16384": No space left on device`

/** Fakes PostgreSQL's error for a full disk: for messages, and for any new table. */
async function fill() {
  await sql`create function no_room() returns trigger language plpgsql as ${sql.lit(`begin raise exception using errcode = '53100', message = '${FULL}'; end`)}`.execute(
    server.context.db,
  )
  await sql`create trigger no_room before insert on messages execute function no_room()`.execute(server.context.db)
  await sql`create function no_table() returns event_trigger language plpgsql as ${sql.lit(`begin raise exception using errcode = '53100', message = '${FULL}'; end`)}`.execute(
    server.context.db,
  )
  await sql`create event trigger no_table on ddl_command_start when tag in ('CREATE TABLE AS') execute function no_table()`.execute(
    server.context.db,
  )
}
async function makeRoom() {
  await sql`drop event trigger no_table`.execute(server.context.db)
  await sql`drop trigger no_room on messages`.execute(server.context.db)
}

const post = (body: string) =>
  server.request('POST', '/api/messages', {
    token: world.carla.token,
    body: { message: { id: randomUUID(), conversation_id, body } },
  })
const ready = async () => {
  const { status, body } = await server.request('GET', '/ready')
  return [status, body.storage.ok]
}

test('while the disk is full, callers, sockets and operators get an error; with space everything continues by itself', async () => {
  expect(await ready()).toEqual([200, true])
  const socket = new TestSocket(server.url, { visitor_token: world.carla.token })
  const joined = await socket.join(`conversation:${conversation_id}`)
  await fill()
  const { status, body } = await post('Is there room?')
  expect(status).toBe(503)
  expect(body.error).toMatchObject({
    reason: 'storage_full',
    message: "The server's disk is full. Please contact its operator.",
  })
  await expect(joined.push('shout', { body: 'And here?' })).rejects.toThrow('storage_full')
  expect(await ready()).toEqual([503, false])
  await makeRoom()
  expect(await ready()).toEqual([200, true])
  expect((await post('There is.')).status).toBe(201)
  socket.close()
})

test('a server continues if its log cannot be written because the disk is full', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-log-'))
  const full = await open('/dev/full', 'w')
  const port = await freePort()
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../server/main.ts')], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'trace' },
    stdio: ['ignore', full.fd, 'pipe'],
  })
  const exited = new Promise((done) => child.once('exit', done))
  onTestFinished(async () => {
    child.kill()
    await exited
    await full.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const health = () => fetch(`http://127.0.0.1:${port}/health`).then(({ status }) => status, String)
  // It creates its database first.
  await expect.poll(health, { timeout: 120_000 }).toBe(200)
  await fetch(`http://127.0.0.1:${port}/api/nowhere`)
  expect(await health()).toBe(200)
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
}, 180_000)

/** Whether this machine allows mounting a small disk. */
function mount(folder: string, megabytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const disk = await mkdtemp(join(tmpdir(), 'parley-full-'))
await chmod(disk, 0o755)
const isMounted = mount(disk, 260)
afterAll(async () => {
  if (isMounted) execFileSync('umount', [disk])
  await rm(disk, { recursive: true })
})

test.runIf(isMounted)(
  'on a disk that is really full nothing acknowledged is lost, and the server outlives it, though its database may not',
  async () => {
    const dataDir = join(disk, 'data')
    await mkdir(dataDir)
    const full = new ServerProcess(await freePort(), dataDir)
    onTestFinished(() => full.stop())
    const ready = await full.start()
    const { url } = ready
    const callApi = async (method: string, path: string, body?: object, token = '') => {
      const headers = { 'content-type': 'application/json', authorization: token }
      const answer = await fetch(`${url}${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
      return { status: answer.status, body: (await answer.json().catch(() => ({}))) as ReturnType<typeof JSON.parse> }
    }
    const password = 'long enough for all'
    const user = { company_name: 'Full', email: 'full@full.test', password, password_confirmation: password }
    const { token } = (await callApi('POST', '/api/registration', { user })).body.data
    const customer = (await callApi('POST', '/api/customers', { customer: { name: 'Dora' } }, token)).body.data
    const conversation = { customer_id: customer.id, message: { body: 'Hello' } }
    const started = (await callApi('POST', '/api/conversations', { conversation }, token)).body.data

    const { bavail, bsize } = await statfs(disk)
    await writeFile(join(disk, 'filler'), Buffer.alloc(bavail * bsize - 300_000))
    const acknowledged: string[] = []
    const send = async () => {
      const message = { id: randomUUID(), conversation_id: started.id, body: randomUUID().repeat(100) }
      const { status } = await callApi('POST', '/api/messages', { message }, token)
      if (status === 201) acknowledged.push(message.id)
      return status
    }
    const statuses = new Set<number>()
    for (let i = 0; i < 8_000 && !statuses.has(503); i++) statuses.add(await send())
    // The database may go down and come back several times meanwhile.
    for (let i = 0; i < 40; i++) {
      statuses.add(await send())
      await sleep(200)
    }
    expect([...statuses].sort()).toEqual([201, 503])
    const unready = await callApi('GET', '/ready')
    expect([unready.status, unready.body.storage.says]).toEqual([503, expect.stringContaining('The disk is full')])

    await rm(join(disk, 'filler'))
    await expect.poll(send, { timeout: 30_000, interval: 500 }).toBe(201)
    await expect.poll(async () => (await callApi('GET', '/ready')).status, { timeout: 10_000 }).toBe(200)
    const client = new pg.Client(ready.database as pg.ClientConfig)
    await client.connect()
    const { rows } = await client.query<{ id: string }>('select id from messages').finally(() => client.end())
    const stored = new Set(rows.map(({ id }) => id))
    expect(acknowledged.length).toBeGreaterThan(0)
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
  },
  180_000,
)
