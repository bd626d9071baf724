import { access, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MOVING_PRODUCTS } from '#contract/operations/moving-in.ts'
import { pruneUpload } from '#server/features/operations/moving-in/moving-in.ts'
import { READERS } from '../bin/transfer/moving-in/readers.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { fill } from './support/papercups/company.ts'
import { createPapercups, withClient } from './support/papercups/database.ts'
import { writeDump } from './support/papercups/dump.ts'
import { type Json, startTestServer, type TestServer } from './support/server.ts'
import { register } from './support/world.ts'

const PATH = '/api/installation/moving_in'
const PATIENCE = { timeout: 60_000, interval: 200 }

let target: FreshDatabase
let server: TestServer
let folder: string
let dump: Buffer
let token: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-moving-in-'))
  const source = await createPapercups()
  await withClient(source, fill)
  await writeDump(source, join(folder, 'dump.sql'))
  await source.drop()
  dump = await readFile(join(folder, 'dump.sql'))
  target = await freshDatabase()
  server = await startServer()
  token = (await register(server, 'Host', 'host@host.test')).token
})
afterAll(async () => {
  await server.close()
  await target.drop()
  await rm(folder, { recursive: true, force: true })
})

const startServer = () =>
  startTestServer({ DATA_DIR: join(folder, 'data'), MOVING_IN_MB: '5', REGISTRATION: 'open' }, undefined, target)

const request = (method: string, path = '', body?: object, as = token): Promise<{ status: number; body: Json }> =>
  server.request(method, PATH + path, { token: as, ...(body && { body }) })
const current = async (): Promise<Json> => (await request('GET')).body.data

async function sendPiece(offset: number, bytes: Buffer): Promise<Response> {
  const form = new FormData()
  form.append('offset', String(offset))
  form.append('file', new Blob([new Uint8Array(bytes)]), 'piece')
  return fetch(`${server.url}${PATH}/pieces`, { method: 'POST', headers: { authorization: token }, body: form })
}

/** Uploads a dump in pieces, as the page does. */
async function upload(bytes = dump): Promise<void> {
  const begun = await request('POST', '', { product: 'papercups', filename: 'dump.sql', size: bytes.length })
  expect(begun.status, JSON.stringify(begun.body)).toBe(200)
  for (let offset = 0; offset < bytes.length; offset += 300_000) {
    expect((await sendPiece(offset, bytes.subarray(offset, offset + 300_000))).status).toBe(200)
  }
}

async function ended(): Promise<Json> {
  await expect.poll(async () => (await current()).ended_at, PATIENCE).not.toBeNull()
  return current()
}

test('the page offers each product that the command line knows', () => {
  expect(MOVING_PRODUCTS).toEqual(READERS.map(({ id, name }) => ({ id, name })))
})

test('only admins of the company that set up the installation may move others in', async () => {
  const other = await register(server, 'Other', 'other@other.test')
  expect((await request('GET', '', undefined, other.token)).body.data).toMatchObject({ may_move: false, state: 'none' })
  const begin = { product: 'papercups', filename: 'dump.sql', size: 10 }
  for (const [method, path, body] of [
    ['POST', '', begin],
    ['POST', '/check', undefined],
    ['POST', '/start', undefined],
    ['POST', '/stop', undefined],
    ['DELETE', '', undefined],
  ] as const) {
    expect((await request(method, path, body, other.token)).status).toBe(403)
  }
})

test('a dump arrives in pieces and goes on after a lost connection; what is too large is refused at once', async () => {
  const begin = (size: number) => request('POST', '', { product: 'papercups', filename: 'dump.sql', size })
  const refused = await begin(5_000_001)
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('at most 5 MB')])
  expect((await begin(dump.length)).body.data).toMatchObject({ state: 'uploading', file: { received: 0 } })
  expect((await request('POST', '/check')).status).toBe(409)
  const half = 300_000
  expect((await sendPiece(0, dump.subarray(0, half))).status).toBe(200)
  // The answer was lost, so the browser sends the piece again.
  expect((await sendPiece(0, dump.subarray(0, half))).status).toBe(409)
  expect(await current()).toMatchObject({ state: 'uploading', file: { received: half, size: dump.length } })
  expect((await sendPiece(half, dump.subarray(half))).status).toBe(200)
  expect(await current()).toMatchObject({ state: 'waiting', product: 'papercups' })
  expect((await sendPiece(dump.length, Buffer.from('more'))).status).toBe(422)
})

test('a check changes nothing and reports by table; the import runs apart from the server and can be stopped', async () => {
  await upload()
  expect((await request('POST', '/check')).body.data).toMatchObject({ state: 'checking' })
  expect((await request('POST', '/start')).status).toBe(409)
  const checked = await ended()
  expect(checked).toMatchObject({ state: 'waiting', problem: null, report: { is_dry_run: true } })
  const messages = checked.report.tables.find(({ table }: Json) => table === 'messages')
  expect(messages).toMatchObject({ source: 10, moved: 8, reasons: { 'has no conversation': 1 } })
  expect(checked.report.text).toContain('nothing was changed')
  const accounts = () => withClient(target, async (client) => (await client.query('select 1 from accounts')).rowCount)
  expect(await accounts()).toBe(2)

  await request('POST', '/start')
  expect((await request('POST', '/stop')).status).toBe(200)
  expect(await ended()).toMatchObject({ state: 'waiting', problem: { kind: 'stopped' } })
  expect(await accounts()).toBe(2)
})

test('an import whose server was killed is shown as such, and moves everything when it is started again', async () => {
  const file = join(folder, 'data', 'imports', 'upload', 'state.json')
  const stored = JSON.parse(await readFile(file, 'utf8'))
  const running = { state: 'moving', is_committed: false }
  await server.close()
  await writeFile(file, JSON.stringify({ ...stored, running, problem: null, ended_at: null }))
  server = await startServer()
  expect(await current()).toMatchObject({ state: 'waiting', problem: { kind: 'killed' } })

  expect((await request('POST', '/start')).status).toBe(202)
  const { report, problem } = await ended()
  expect(problem).toBeNull()
  expect(report).toMatchObject({ is_dry_run: false, missing_files: 2 })
  const user = { email: 'ada@acme.test', password: 'correct horse' }
  expect((await server.request('POST', '/api/session', { body: { user } })).status).toBe(200)
  await expect(access(join(folder, 'data', 'imports', 'upload', 'dump'))).rejects.toThrow('ENOENT')
  expect((await request('DELETE')).status).toBe(200)
  expect(await current()).toMatchObject({ state: 'none', report: null })
})

test('a dump that nobody moves in is deleted after a week', async () => {
  await upload()
  const file = join(folder, 'data', 'imports', 'upload', 'dump')
  await pruneUpload(server.context)
  await access(file)
  const before = new Date(Date.now() - 8 * 86_400_000)
  await utimes(file, before, before)
  await pruneUpload(server.context)
  await expect(access(file)).rejects.toThrow('ENOENT')
  expect(await current()).toMatchObject({ state: 'none' })
})

test('what is no dump of the product is refused on the page in a sentence', async () => {
  await upload(Buffer.from('-- PostgreSQL database dump complete\n'))
  await request('POST', '/check')
  const { problem } = await ended()
  expect(problem).toEqual({ kind: 'failed', text: expect.stringContaining('This is no database of Papercups') })
})
