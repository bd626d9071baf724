import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { connect } from '#server/platform/db/connection.ts'
import { freePort, ServerProcess } from '#tests/support/server-process.ts'
import { assignWhilePeopleComeAndGo } from './assign.ts'
import { talkThroughFaults } from './channels.ts'
import { register } from './clients.ts'
import { floodWhileAgentsWork } from './flood.ts'
import { attackWhileAgentsWork } from './hostile.ts'
import { killUnderLoad } from './kill.ts'
import { mailThroughFaults } from './mails.ts'
import { movedClock } from './moved-clock.ts'
import { pushThroughFaults } from './push.ts'
import { scheduleThroughKills } from './schedule.ts'
import { findFaults, sendThroughLosses } from './send.ts'
import { restartInTurn } from './servers.ts'
import { killWhileDelivering } from './webhooks.ts'

/**
 * `npm run chaos:send`, `chaos:kill`, `chaos:flood`, `chaos:hostile`, `chaos:webhooks`, `chaos:mail`, `chaos:channels`,
 * `chaos:servers`, `chaos:assign`, `chaos:push` and `chaos:schedule`: full-length tests of the promises. Exits with 1 when one is
 * broken.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'parley-chaos-'))
const started = Date.now()
try {
  const runs: Record<string, () => Promise<string[]>> = {
    send,
    kill,
    flood,
    hostile,
    webhooks,
    mail,
    channels,
    servers,
    assign,
    push,
    schedule,
  }
  const faults = await (runs[process.argv[2] ?? ''] ?? send)()
  console.log(`${((Date.now() - started) / 1000).toFixed(0)} s.`)
  for (const fault of faults.slice(0, 20)) console.error(`BROKEN: ${fault}`)
  process.exitCode = faults.length > 0 ? 1 : 0
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

async function send(): Promise<string[]> {
  const server = new ServerProcess(await freePort(), dataDir)
  const { url, database } = await server.start()
  const connection = connect(database, pino({ level: 'silent' }))
  try {
    const { account_id } = await register(url, 'send@acme.test')
    const run = { port: server.port, account_id, clients: 20, messages: 10_000 }
    const { senders, counts } = await sendThroughLosses(run)
    console.log(
      `20 clients sent 10,000 messages: ${counts.requests} requests, ${counts.dropped} answers lost, ${counts.repeated} repeated, ${counts.cut} sockets cut.`,
    )
    const faults = await findFaults(connection.kysely, senders)
    if (faults.length === 0) console.log('The ids stored are the ids sent, in order, without gap or double.')
    return faults
  } finally {
    await connection.end()
    await server.stop()
  }
}

async function mail(): Promise<string[]> {
  const customers = Number(process.argv[3] ?? 400)
  const faults = await mailThroughFaults({ dataDir, customers, kills: 5, log: console.log })
  if (faults.length === 0) console.log('Every mail is stored once, every answer left once, each thread in its order.')
  return faults
}

async function channels(): Promise<string[]> {
  const threads = Number(process.argv[3] ?? 167)
  const faults = await talkThroughFaults({
    dataDir,
    threads,
    words: 5,
    kills: 5,
    outageMs: 20_000,
    log: console.log,
  })
  if (faults.length === 0)
    console.log('What was said on either side stands on the other once, each thread in its order.')
  return faults
}

async function servers(): Promise<string[]> {
  const proxy = process.argv[3] === 'caddy' ? 'caddy' : 'nginx'
  const { phases, acknowledged, comebacks, missed, faults } = await restartInTurn({ dataDir, proxy, log: console.log })
  console.log(
    `Two servers behind ${proxy}: ${acknowledged} messages acknowledged, ${missed.length} never received; sockets came back ${comebacks} times.`,
  )
  return [
    ...faults,
    ...missed.map((id) => `message ${id} was acknowledged and never received`),
    ...phases.flatMap(({ name, refused }) => (refused > 0 ? [`${refused} reads were refused while ${name}`] : [])),
  ]
}

async function assign(): Promise<string[]> {
  const arrivals = Number(process.argv[3] ?? 2_000)
  return assignWhilePeopleComeAndGo({ dataDir, arrivals, log: console.log })
}

/** `npm run chaos:push -- 1000 2` sends 1,000 messages and kills the server twice. */
async function push(): Promise<string[]> {
  const [messages = 10_000, kills = 5] = process.argv.slice(3).map(Number)
  const run = { dataDir, messages, people: 25, conversations: 500, kills, pauseMs: 500, log: console.log }
  const faults = await pushThroughFaults(run)
  if (faults.length === 0) console.log('Each message was announced once, and no notification is missing.')
  return faults
}

async function kill(): Promise<string[]> {
  const onKill = (done: number) => done % 10 === 0 && console.log(`${done} kills …`)
  const report = await killUnderLoad({ dataDir, serverKills: 50, databaseKills: 5, clients: 10, onKill })
  const { acknowledged, faults, missingJobs, missingMessages, missedMessages, receivedLive, comebacks } = report
  console.log(
    `50 kills of the server and 5 of the database under load, ${acknowledged} messages acknowledged: ${missingMessages.length} missing, ${missingJobs.length} jobs missing, ${missedMessages.length} never received by the team (${receivedLive} times live; the sockets came back ${comebacks} times).`,
  )
  return [
    ...faults,
    ...missingMessages.map((id) => `message ${id} was acknowledged and is gone`),
    ...missedMessages.map((id) => `message ${id} was acknowledged and never received`),
    ...missingJobs.map((id) => `the job of message ${id} was never done`),
  ]
}

/**
 * `npm run chaos:schedule -- 500 8` schedules 500 messages and kills the server eight times; `-- 500 8 clock` sets its
 * clock an hour forward or back at each kill, too.
 */
async function schedule(): Promise<string[]> {
  const [planned = 5_000, kills = 20] = process.argv.slice(3, 5).map(Number)
  const clock = process.argv[5] === 'clock' ? await movedClock(dataDir) : undefined
  if (process.argv[5] === 'clock' && !clock) return ['the package faketime is not installed']
  const report = await scheduleThroughKills({ dataDir, planned, kills, ...(clock && { clock }) })
  const { sent, cancelled, missing, sentAlthoughCancelled } = report
  console.log(
    `${planned} scheduled messages, ${kills} kills of the server: ${sent} sent, ${cancelled} cancelled around their time, ${missing.length} missing.`,
  )
  return [
    ...missing.map((id) => `scheduled message ${id} was never sent`),
    ...sentAlthoughCancelled.map((id) => `scheduled message ${id} was cancelled and sent`),
  ]
}

async function flood(): Promise<string[]> {
  const { quiet, flooded, megabytes, refused } = await floodWhileAgentsWork({
    dataDir,
    agents: 20,
    rounds: 3,
    seconds: 15,
    kinds: process.argv.slice(3),
  })
  const ratio = flooded.p95 / quiet.p95
  console.log(
    `20 agents at work: ${quiet.p50.toFixed(1)} ms at p50 and ${quiet.p95.toFixed(1)} ms at p95 (${quiet.count} calls); flooded ${flooded.p50.toFixed(1)} and ${flooded.p95.toFixed(1)} ms (${flooded.count} calls), ${ratio.toFixed(2)} times as long. The server took ${megabytes} MB at most.`,
  )
  // The flooding process shares the same two cores, so the ratio is only printed and needs judging.
  return [
    ...(refused > 0 ? [`agents were refused ${refused} times`] : []),
    ...(megabytes > 600 ? [`the server took ${megabytes} MB`] : []),
  ]
}

async function hostile(): Promise<string[]> {
  const { values } = parseArgs({ args: process.argv.slice(3), options: { minutes: { type: 'string', default: '10' } } })
  return attackWhileAgentsWork({ dataDir, minutes: Number(values.minutes) })
}

async function webhooks(): Promise<string[]> {
  const onProgress = (delivered: number) => console.log(`${delivered} delivered …`)
  const run = { dataDir, conversations: 500, messages: 10, kills: 5, onProgress }
  const { expected, requests, accepted, restarts, faults } = await killWhileDelivering(run)
  console.log(
    `${expected} events to a webhook that refuses 70 %, is slow at 5 % and was restarted ${restarts} times, 5 kills of the server: ${requests} requests arrived, ${accepted} were accepted.`,
  )
  if (faults.length === 0)
    console.log('Each was delivered under one id, in order within its conversation, and the log is complete.')
  return faults
}
