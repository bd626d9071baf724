import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { ACME, fill, id } from './support/papercups/company.ts'
import {
  createAsciiPapercups,
  createPapercups,
  insertInto,
  papercupsHash,
  withClient,
} from './support/papercups/database.ts'
import { runImport, startImport } from './support/papercups/run.ts'
import { startS3 } from './support/s3-server.ts'
import { type Json, startTestServer, type TestServer } from './support/server.ts'
import { PASSWORD, register } from './support/world.ts'

let source: FreshDatabase
let target: FreshDatabase
let folder: string
const cleanUp: (() => Promise<void>)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-papercups-rules-'))
  source = await createPapercups()
  await withClient(source, fill)
})
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean()
})
afterAll(async () => {
  await source.drop()
  await rm(folder, { recursive: true, force: true })
})

async function freshTarget(): Promise<FreshDatabase> {
  target = await freshDatabase()
  cleanUp.push(() => target.drop())
  return target
}

async function startServer(): Promise<TestServer> {
  const server = await startTestServer({ DATA_DIR: join(folder, 'data') }, undefined, target)
  cleanUp.push(() => server.close())
  return server
}

const signIn = (server: TestServer, email: string, password: string): Promise<Json> =>
  server.request('POST', '/api/session', { body: { user: { email, password } } })
const select = (query: string) => withClient(target, async (client) => (await client.query(query)).rows)

test('companies move in beside a running server and the company that set it up, which stays its operator', async () => {
  await freshTarget()
  const server = await startServer()
  const operator = await register(server, 'Host', 'host@host.test')
  const number = (await server.request('GET', '/api/me', { token: operator.token })).body.data.id
  await withClient(source, async (client) => {
    const insert = insertInto(client)
    const una = { account_id: ACME, email: 'una@acme.test', role: 'user', password_hash: papercupsHash('unas word') }
    await insert('users', { id: number, ...una })
    const written = { account_id: ACME, conversation_id: id('empty'), body: 'By Una', user_id: number, private: false }
    await insert('messages', { id: id('by una'), ...written })
  })
  for (const time of ['first', 'second']) {
    const { code, output } = await runImport(target, source, folder, [])
    expect(code, `${time}: ${output}`).toBe(0)
  }
  const una = await signIn(server, 'una@acme.test', 'unas word')
  const me = (await server.request('GET', '/api/me', { token: una.body.data.token })).body.data
  expect(me.id).not.toBe(number)
  expect(await select(`select user_id from messages where id = '${id('by una')}'`)).toEqual([{ user_id: me.id }])
  expect(await select(`select count(*)::int from users where email = 'una@acme.test'`)).toEqual([{ count: 1 }])
  const installation = async (token: string) =>
    (await server.request('GET', '/api/health_report', { token })).body.data.installation
  expect(await installation(operator.token)).toMatchObject({ companies: 3 })
  const ada = await signIn(server, 'ada@acme.test', 'correct horse')
  expect(await installation(ada.body.data.token)).toBeNull()
})

test('an address that signs in elsewhere is refused with what to do', async () => {
  await freshTarget()
  const server = await startServer()
  await register(server, 'Host', 'ada@acme.test')
  const { code, output } = await runImport(target, source, folder, ['--dry-run'])
  expect([code, output]).toEqual([1, expect.stringContaining('ada@acme.test (in "Host")')])
  expect((await signIn(server, 'ada@acme.test', PASSWORD)).status).toBe(200)
})

test('what the hourly job of Papercups archived is only closed, and what a person archived stays deleted', async () => {
  await freshTarget()
  await withClient(source, async (client) => {
    const closed = { account_id: ACME, customer_id: id('carla'), source: 'chat', read: true }
    await insertInto(client)(
      'conversations',
      {
        id: id('by job'),
        ...closed,
        status: 'closed',
        closed_at: '2022-03-01 10:00:00',
        archived_at: '2022-03-15 10:30:00',
      },
      {
        id: id('by hand'),
        ...closed,
        status: 'closed',
        closed_at: '2022-03-01 10:00:00',
        archived_at: '2022-03-09 10:00:00',
      },
      { id: id('still open'), ...closed, status: 'open', archived_at: '2022-06-01 10:00:00' },
    )
  })
  const archived = async () => {
    expect((await runImport(target, source, folder, [])).code).toBe(0)
    const rows = await select(
      `select id from conversations where archived_at is not null and id in ('${id('by job')}', '${id('by hand')}', '${id('still open')}')`,
    )
    return rows.map((row) => row.id).sort()
  }
  const expected = [id('by hand'), id('still open')].sort()
  expect(await archived()).toEqual(expected)
  // As an import of an earlier version left it.
  await select(`update conversations set archived_at = '2022-03-15T10:30:00Z' where id = '${id('by job')}'`)
  expect(await archived()).toEqual(expected)
})

test('a live database without an encoding is read; its broken text is replaced and counted', async () => {
  await freshTarget()
  const ascii = await createAsciiPapercups()
  cleanUp.push(() => ascii.drop())
  await withClient(ascii, async (client) => {
    await fill(client)
    await client.query(
      `update messages set body = convert_from('\\x4f7526ff'::bytea, 'SQL_ASCII') where id = '${id('m1')}'`,
    )
  })
  const { code, output } = await runImport(target, ascii, folder, [])
  expect([code, output]).toEqual([0, expect.stringContaining('1 row of messages had invalid text')])
  expect(await select(`select body from messages where id = '${id('m1')}'`)).toEqual([{ body: 'Ou&�' }])
})

test('an import that is killed has changed nothing, and is simply started again', async () => {
  await freshTarget()
  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    const child = startImport(target, source, folder)
    const ended = once(child, 'exit')
    for await (const piece of child.stderr!) if (String(piece).includes('Converting')) break
    child.kill(signal)
    expect((await ended)[1]).toBe(signal)
    expect(await select('select 1 from accounts')).toEqual([])
  }
  // The database may need seconds to notice that the killed one is gone.
  await expect.poll(async () => (await runImport(target, source, folder, [])).code, { timeout: 30_000 }).toBe(0)
  expect(await select('select count(*)::int from accounts')).toEqual([{ count: 2 }])
})

test('files come from a bucket', async () => {
  await freshTarget()
  const s3 = await startS3()
  cleanUp.push(() => s3.stop())
  const { S3_BUCKET: Bucket = '', S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = s3.settings
  const keys = {
    AWS_ACCESS_KEY_ID: S3_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY: S3_SECRET_ACCESS_KEY,
    AWS_REGION: 'us-east-1',
  }
  const credentials = { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY }
  const client = new S3Client({ endpoint: s3.url, region: 'us-east-1', forcePathStyle: true, credentials })
  const Key = 'old/0123456789abcdef0123456789abcdef-old-lamp.txt'
  await client.send(new PutObjectCommand({ Bucket, Key, Body: 'from the bucket' }))
  const options = ['--files', `s3://${Bucket}/old`, '--files-endpoint', s3.url]
  const { code, output } = await runImport(target, source, folder, options, keys)
  expect(code, output).toBe(0)
  expect(output).toContain('Copied 1 attached file.')
  expect(await select(`select size from files where filename = 'old-lamp.txt'`)).toEqual([{ size: 15 }])
})

test('a file of a bucket is not read beyond the limit of files, although its size is not said before', async () => {
  await freshTarget()
  let sent = 0
  const bucket = createServer((_, response) => {
    const endless = function* () {
      for (;;) {
        sent++
        yield Buffer.alloc(1_000_000)
      }
    }
    pipeline(Readable.from(endless()), response, () => undefined)
  })
  await once(bucket.listen(0, '127.0.0.1'), 'listening')
  cleanUp.push(async () => void bucket.close())
  const { port } = bucket.address() as AddressInfo
  const keys = { AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any', AWS_REGION: 'us-east-1' }
  const options = ['--files', 's3://bucket/old', '--files-endpoint', `http://127.0.0.1:${port}`]
  const { code, output } = await runImport(target, source, folder, options, keys)
  expect(code, output).toBe(0)
  expect(output).toMatch(/Files larger than 64 MB are not copied.*\n {2}lost.png\n {2}old-lamp.txt\n/)
  // Of two files; some of it was still on its way.
  expect(sent).toBeLessThan(200)
})

test('an installation that no server has started yet gets its tables and its key', async () => {
  target = await freshDatabase('template0')
  cleanUp.push(() => target.drop())
  const data = join(folder, 'new')
  const { code, output } = await runImport(target, source, data, [], { SECRET_KEY: '' })
  expect(code, output).toBe(0)
  expect(await readFile(join(data, 'data', 'secret.key'), 'utf8')).not.toBe('')
  expect(await select('select count(*)::int from accounts')).toEqual([{ count: 2 }])
})
