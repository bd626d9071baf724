import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { defineConsumer } from '#server/feature.ts'
import { openDiskStore } from '#server/platform/files/disk-store.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { exportTo } from '../bin/transfer/export.ts'
import { importFrom } from '../bin/transfer/import.ts'
import { showProgress } from '../bin/transfer/progress.ts'
import type { FutureKey } from '../bin/transfer/secret-key.ts'
import { bystandersMayChange } from './support/bystanders/watched.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { KEY, startTestServer, type TestServer } from './support/server.ts'
import { createWorld, startConversation, type World } from './support/world.ts'

/** Characters that break parsers of lines, JSON and COPY. */
const ODD = 'a\\b "c" \n\t\r \u2028 \u0085 Đà Nẵng 🎈 \\n \\\\'

const log = pino({ level: 'silent' })
/** A job that runs while the export is written, and one that always fails. */
let release: () => void
const released = new Promise<void>((resolve) => {
  release = resolve
})
const bird = { schema: z.object({ account_id: z.string(), bird: z.string() }) }
const nest = defineJob('birds.nest', { ...bird, run: () => released })
const fall = defineJob('birds.fall', { ...bird, run: () => Promise.reject(new Error('no wings')) })
const sink = defineJob('birds.sink', { ...bird, tries: 1, run: () => Promise.reject(new Error('no fins')) })
/** A consumer that never advances. */
const stuck = defineConsumer('birds.follow', {
  of: ['message:created'],
  jobs: [],
  consume: () => Promise.reject(new Error('too far')),
})
let server: TestServer
let world: World
let empty: FreshDatabase
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-transfer-'))
  server = await startTestServer({}, { name: 'birds', jobs: [nest, fall, sink], consumers: [stuck] })
  world = await createWorld(server)
  const { conversation_id } = await startConversation(server, world.carla, ODD)
  await server.request('POST', `/api/conversations/${conversation_id}/archive`, { token: world.ada.token })
  await startConversation(server, world.carla, 'quagga in the garden')
  await upload(Buffer.alloc(500_000, 'parley '))
  await leaveJobs()
  // What waits to be sent changes with an import; see below.
  await setHeldReasons('answered')
  empty = await freshDatabase()
})
afterAll(async () => {
  release()
  await server.close()
  await empty.drop()
  await rm(folder, { recursive: true, force: true })
})

async function upload(bytes: Buffer) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'text/plain' }), 'long.txt')
  form.append('account_id', world.acme.id)
  const answer = await fetch(`${server.url}/api/upload`, {
    method: 'POST',
    headers: { authorization: world.ada.token },
    body: form,
  })
  if (!answer.ok) throw new Error(await answer.text())
}

const TIMEOUT = { timeout: 10_000, interval: 50 }

/** One is scheduled, one runs, one will be retried, one is dead. */
async function leaveJobs() {
  const { conversation_id } = await startConversation(server, world.carla, 'Please answer by mail.')
  await server.request('POST', '/api/messages', {
    token: world.ada.token,
    body: { message: { conversation_id, body: 'Here it is.' } },
  })
  const { db, jobs } = server.context
  await db.transaction().execute(async (trx) => {
    for (const job of [nest, fall]) await jobs.enqueue(trx, job, { account_id: world.acme.id, bird: job.name })
    await jobs.enqueue(trx, sink, { account_id: world.acme.id, bird: 'dodo' })
  })
  const expected = ['birds.fall retry', 'birds.nest active', 'dead created', 'notifications.mailReply created']
  await vi.waitFor(async () => {
    const jobStates = (await listJobs(server)).map(({ name, state }) => `${name} ${state}`)
    expect(jobStates).toEqual(expect.arrayContaining(expected))
  }, TIMEOUT)
}

function setHeldReasons(held_reason: string | null) {
  bystandersMayChange({ tables: ['scheduled_messages'] })
  return server.context.db.updateTable('scheduled_messages').set({ held_reason }).execute()
}

interface JobRow {
  name: string
  state: string
  data: object
  start_after: string
}

async function listJobs({ context }: TestServer): Promise<JobRow[]> {
  const { rows } =
    await sql<JobRow>`select name, state, data, start_after from jobs.job where data ? 'account_id'`.execute(context.db)
  return rows
}

/** The key that the servers of this file use. */
async function acceptKey(_: unknown): Promise<FutureKey> {
  return { secretKey: KEY.SECRET_KEY, keep: async () => undefined, discard: async () => undefined }
}

const anew = () => ({ step: 'Copying', lines: 0 })
const makeTarget = () => ({
  connection: empty.connection,
  files: openDiskStore(join(folder, 'files')),
  progress: anew(),
})

test('what is exported, read into an empty installation and exported again is the same, key included', async () => {
  const [one, two] = [join(folder, 'one.gz'), join(folder, 'two.gz')]
  const source = { connection: server.database.connection, files: server.context.files, secret_key: 'secret' }
  const first = await exportTo(one, { ...source, progress: anew() })
  const secrets: (string | undefined)[] = []
  const target = { ...makeTarget(), log, prepareKey: (key: string | undefined) => acceptKey(secrets.push(key)) }
  const { lines, sha256 } = await importFrom(one, target)
  expect({ lines, sha256 }).toEqual({ lines: first.lines, sha256: first.sha256 })
  expect(target.progress).toMatchObject({ lines, share: 1, step: expect.stringContaining('search indexes') })
  const second = await exportTo(two, makeTarget())
  expect(second).toEqual(first)
  expect(secrets).toEqual(['secret'])
  expect(gunzipSync(await readFile(two)).toString()).toContain(JSON.stringify(ODD).slice(1, 5))
})

test('waiting, running and failed jobs are included with their time and remaining tries', async () => {
  const text = gunzipSync(await readFile(join(folder, 'one.gz'))).toString()
  const lines = text.split('\n').filter((line) => line.startsWith('["jobs.job"'))
  const jobs = lines.map((line) => JSON.parse(line)[1])
  for (const { data } of jobs) expect(data.account_id).toBeTruthy()
  expect(jobs.find(({ name }) => name === 'birds.fall')).toMatchObject({
    retry_limit: 10,
    data: { bird: 'birds.fall' },
  })

  const bodies: unknown[] = []
  const read = defineConsumer('birds.follow', {
    of: ['message:created'],
    jobs: [],
    async consume(_context, _change, events) {
      for (const { event } of events) bodies.push(event.message.body)
    },
  })
  const moved = await startTestServer(
    {},
    {
      jobs: [{ ...nest, run: async (_context, { bird }) => void bodies.push(bird) }, fall, sink],
      name: 'birds',
      consumers: [read],
    },
    empty,
  )
  await expect.poll(() => bodies, TIMEOUT).toHaveLength(5)
  expect(bodies).toEqual(expect.arrayContaining(['birds.nest', 'quagga in the garden', 'Here it is.']))
  const isReply = ({ name }: JobRow) => name === 'notifications.mailReply'
  expect((await listJobs(moved)).filter(isReply)).toEqual((await listJobs(server)).filter(isReply))
  const dead = await moved.request('GET', '/api/dead_jobs', { token: world.ada.token })
  expect(dead.body.data).toMatchObject([{ name: 'birds.sink', payload: { bird: 'dodo' }, error: 'no fins' }])
  await moved.close()
})

test('after an import people can sign in, find their conversations, and continue with the next message number', async () => {
  const moved = await startTestServer({}, undefined, empty)
  const who = { token: world.ada.token }
  expect((await moved.request('GET', '/api/me', who)).status).toBe(200)
  const results = await moved.request('GET', '/api/search?q=quagga', who)
  expect(results.body.data).toHaveLength(1)
  const counts = await moved.request('GET', '/api/conversations/unread', who)
  const before = await server.request('GET', '/api/conversations/unread', who)
  expect(counts.body).toEqual(before.body)
  const user = {
    company_name: 'Later',
    email: 'later@later.test',
    password: 'long enough',
    password_confirmation: 'long enough',
  }
  expect((await moved.request('POST', '/api/registration', { body: { user } })).status).toBe(200)
  await moved.close()
})

test('a long transfer says every few seconds how far it is', () => {
  vi.useFakeTimers()
  const said: string[] = []
  const end = showProgress({ step: 'Reading', lines: 120_000, share: 0.456 }, (line) => said.push(line))
  vi.advanceTimersByTime(12_000)
  end()
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()
  expect(said).toEqual(Array(2).fill('Reading: 120,000 lines, 45 % …'))
})

test('an installation with accounts, and a missing, truncated or invalid file, are refused with an explanation', async () => {
  const target = { ...makeTarget(), log, prepareKey: acceptKey }
  await expect(importFrom(join(folder, 'one.gz'), target)).rejects.toThrow('This installation already has accounts.')
  const other = await freshDatabase()
  const text = join(folder, 'other.gz')
  await writeFile(text, (await import('node:zlib')).gzipSync('hello\n'))
  const empty = { ...target, connection: other.connection }
  await expect(importFrom(text, empty)).rejects.toThrow('This file was not written by')
  const cut = join(folder, 'cut.gz')
  const whole = await readFile(join(folder, 'one.gz'))
  await writeFile(cut, whole.subarray(0, whole.length / 2))
  await expect(importFrom(cut, empty)).rejects.toThrow(
    /^Nothing was imported: .*cut.gz cannot be read after line \d+ \(/,
  )
  const nowhere = join(folder, 'nowhere.gz')
  await expect(importFrom(nowhere, empty)).rejects.toThrow(`Nothing was imported: ${nowhere} cannot be read (`)
  await other.drop()
})

test('what waited to be sent waits for a person in the copy, because the original may still send it', async () => {
  await setHeldReasons(null)
  const path = join(folder, 'waiting.gz')
  await exportTo(path, { connection: server.database.connection, files: server.context.files, progress: anew() })
  const copy = await freshDatabase()
  await importFrom(path, { ...makeTarget(), connection: copy.connection, log, prepareKey: acceptKey })
  const client = new pg.Client(copy.connection)
  await client.connect()
  const { rows } = await client.query('select distinct held_reason from scheduled_messages')
  await client.end()
  await copy.drop()
  expect(rows).toEqual([{ held_reason: 'restored' }])
})
