import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { expect, test } from '#tests/support/fixture.ts'
import { talkThroughFaults } from './channels.ts'
import { killUnderLoad } from './kill.ts'
import { pushThroughFaults } from './push.ts'
import { findFaults, sendThroughLosses } from './send.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'parley-chaos-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))

test('if a third of the responses is lost, every message is still stored once and in order', async ({
  world,
  server,
}) => {
  const port = Number(new URL(server.url).port)
  const { senders, counts } = await sendThroughLosses({ port, account_id: world.acme.id, clients: 6, messages: 300 })
  expect(counts.dropped).toBeGreaterThan(20)
  expect(counts.cut).toBeGreaterThan(0)
  expect(await findFaults(server.context.db, senders)).toEqual([])
})

test('no acknowledged message is lost or fails to arrive, nor is its job, when server and database are killed under load', async () => {
  const report = await killUnderLoad({ dataDir, serverKills: 3, databaseKills: 1, clients: 6 })
  expect(report.acknowledged).toBeGreaterThan(20)
  expect(report.missingMessages).toEqual([])
  expect(report.missedMessages).toEqual([])
  expect(report.receivedLive).toBeGreaterThan(20)
  expect(report.comebacks).toBeGreaterThan(3)
  expect(report.missingJobs).toEqual([])
  expect(report.faults).toEqual([])
}, 300_000)

test('messages through vendors that fail a third of the time arrive once and in order, although the server is killed', async () => {
  const lines: string[] = []
  const run = {
    threads: 2,
    words: 2,
    kills: 1,
    isHasty: true,
    outageMs: 2_000,
    log: (line: string) => lines.push(line),
  }
  expect(await talkThroughFaults({ ...run, dataDir: join(dataDir, 'channels') })).toEqual([])
  expect(lines.join()).toContain('40 messages through 5 vendors')
  expect(lines.join()).toContain('0 stand visibly unsent')
  expect(lines.join()).toMatch(/Slack failed [1-9]/)
}, 300_000)

test('each message is announced on the phone once, although the push service fails and repeats and the server is killed', async () => {
  const lines: string[] = []
  const run = {
    messages: 200,
    people: 4,
    conversations: 40,
    kills: 1,
    pauseMs: 20,
    log: (line: string) => lines.push(line),
  }
  const faults = await pushThroughFaults({ ...run, dataDir: join(dataDir, 'push') })
  // How long it takes says nothing on a busy machine.
  expect(faults.filter((fault) => !fault.startsWith('p95'))).toEqual([])
  expect(lines.join()).toMatch(/[1-9]\d* notifications/)
}, 300_000)
