import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pruneUpload } from '#server/features/operations/moving-in/moving-in.ts'
import { CHATWOOT_TOKEN, startChatwootApi } from './emulators/chatwoot.ts'
import type { Vendor } from './emulators/vendor.ts'
import { createChatwoot, withClient } from './support/chatwoot/database.ts'
import { fillCompany } from './support/chatwoot/run.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { type Json, startTestServer, type TestServer } from './support/server.ts'
import { register } from './support/world.ts'

const PATH = '/api/installation/moving_in'
const PATIENCE = { timeout: 90_000, interval: 200 }

let source: FreshDatabase
let target: FreshDatabase
let pool: pg.Pool
let api: Vendor
let server: TestServer
let folder: string
let token: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-moving-api-'))
  source = await createChatwoot()
  target = await freshDatabase()
  await withClient(source, fillCompany)
  pool = new pg.Pool(source.connection)
  api = await startChatwootApi(pool)
  const env = { DATA_DIR: join(folder, 'data'), REACHABLE_HOSTS: '127.0.0.1', REGISTRATION: 'open' }
  server = await startTestServer(env, undefined, target)
  token = (await register(server, 'Host', 'host@host.test')).token
})
afterAll(async () => {
  await server.close()
  await api.close()
  await pool.end()
  await Promise.all([source, target].map((database) => database.drop()))
  await rm(folder, { recursive: true, force: true })
})

const request = (method: string, path = '', body?: object, as = token): Promise<{ status: number; body: Json }> =>
  server.request(method, PATH + path, { token: as, ...(body && { body }) })
const current = async (): Promise<Json> => (await request('GET')).body.data
const connect = (more: object = {}, as = token) =>
  request('POST', '/api', { product: 'chatwoot', address: api.url, account: '1', token: CHATWOOT_TOKEN, ...more }, as)

async function ended(): Promise<Json> {
  return expect
    .poll(current, PATIENCE)
    .toMatchObject({ state: 'waiting' })
    .then(() => current())
}

/** Files with what was read. */
async function readings(): Promise<string[]> {
  const files = await readdir(join(folder, 'data', 'imports', 'reading'), { recursive: true, withFileTypes: true })
  return files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

/** Everything that is stored beside the database. */
async function stored(): Promise<string> {
  const upload = join(folder, 'data', 'imports', 'upload')
  const names = await readdir(upload)
  return (await Promise.all(names.map((name) => readFile(join(upload, name), 'utf8')))).join('\n')
}

test('the operator names a server whose API is read, checks it and moves in; the token is kept encrypted until then', async () => {
  const named = await connect()
  expect([named.status, named.body.data]).toEqual([
    200,
    expect.objectContaining({
      ...{ state: 'waiting', product: 'chatwoot', file: null },
      api: { address: api.url, account: '1', has_token: true },
    }),
  ])
  expect(JSON.stringify(named.body) + (await stored())).not.toContain(CHATWOOT_TOKEN)

  expect((await request('POST', '/check')).status).toBe(202)
  const checked = await ended()
  expect(checked).toMatchObject({ problem: null, report: { is_dry_run: true }, api: { has_token: true } })
  expect(checked.report.text).toContain('could not show the messages of 2 conversations')

  expect((await request('POST', '/start')).status).toBe(202)
  const moved = await ended()
  expect(moved).toMatchObject({ problem: null, report: { is_dry_run: false }, api: { has_token: false } })
  const accounts = await withClient(target, (client) =>
    client.query(`select 1 from accounts where company_name = 'Acme'`),
  )
  expect(accounts.rowCount).toBe(1)
  const again = await request('POST', '/start')
  expect([again.status, again.body.error.message]).toEqual([409, 'Enter the access token of the old server again.'])
  expect((await request('DELETE')).status).toBe(200)
  expect(await current()).toMatchObject({ state: 'none', api: null })
})

test('what the old server refuses is said in a sentence, and addresses of private networks are not asked', async () => {
  await connect({ token: 'wrong' })
  await request('POST', '/check')
  expect((await ended()).problem).toEqual({ kind: 'failed', text: expect.stringContaining('refuses the token') })
  await connect({ address: 'http://10.0.0.1' })
  await request('POST', '/check')
  expect((await ended()).problem).toEqual({ kind: 'failed', text: expect.stringContaining('REACHABLE_HOSTS') })
  for (const [field, value] of [
    ['address', 'ftp://old.test'],
    ['token', ' '],
    ['account', 'one'],
    ['product', 'papercups'],
  ]) {
    expect((await connect({ [field!]: value })).status).toBe(422)
  }
})

test('reading can be stopped; its token and what was read are deleted when they are discarded, or after a week', async () => {
  await connect()
  const agents = 'GET /api/v1/accounts/1/agents'
  const before = api.requestsTo(agents).length
  api.hang(agents)
  await request('POST', '/check')
  await expect.poll(() => api.requestsTo(agents).length, PATIENCE).toBe(before + 1)
  expect((await current()).state).toBe('checking')
  expect((await request('POST', '/stop')).status).toBe(200)
  expect(await ended()).toMatchObject({ problem: { kind: 'stopped' }, api: { has_token: true } })
  await pruneUpload(server.context)
  expect(await current()).toMatchObject({ state: 'waiting' })
  const lastWeek = new Date(Date.now() - 8 * 86_400_000)
  await utimes(join(folder, 'data', 'imports', 'upload', 'state.json'), lastWeek, lastWeek)
  const kept = await readings()
  expect(kept).toHaveLength(1)
  await utimes(kept[0]!, lastWeek, lastWeek)
  await pruneUpload(server.context)
  expect(await current()).toMatchObject({ state: 'none', api: null })
  expect(await readings()).toEqual([])

  await connect()
  api.hang(agents)
  await request('POST', '/check')
  await expect.poll(() => api.requestsTo(agents).length, PATIENCE).toBe(before + 2)
  await request('POST', '/stop')
  expect(await readings()).toHaveLength(1)
  expect((await request('DELETE')).status).toBe(200)
  expect(await readings()).toEqual([])
})
