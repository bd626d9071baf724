import { fork } from 'node:child_process'
import { constants, loadavg, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import type { Db } from '#server/platform/db/change.ts'
import { connect } from '#server/platform/db/connection.ts'
import { startPostgres } from '#tests/support/postgres.ts'
import { startRedis } from '#tests/support/redis-server.ts'
import { freePort } from '#tests/support/server-process.ts'
import { header, report } from '../../bench/figures.ts'
import { AgentsAtWork } from './agents-at-work.ts'
import type { AttackCounts, AttackOrder } from './attacks.ts'
import { callUntilAnswered, register } from './clients.ts'
import { HonestMails, judgeMails, waitForMails } from './honest-mails.ts'
import { megabytesOf } from './megabytes.ts'
import { observe } from './observed-servers.ts'
import { Program } from './program.ts'
import { judgeExperience, judgeMessages, reportMemory, reportTimes } from './verdict.ts'

const FUNCTION_COMPANIES = 5
const METRICS_TOKEN = 'chaos-chaos-chaos-chaos'
const WARM_UP_MS = 10_000
const ATTACK_END_MS = 10_000

interface Run {
  dataDir: string
  minutes: number
}

/**
 * All kinds of hostile load at once on two servers with one PostgreSQL and one Redis, while agents of another company
 * answer visitors and honest customers write mails. Prints what they experienced and what it cost.
 * @returns what was lost, stored twice, out of order or refused to agents; never a matter of time or memory
 */
export async function attackWhileAgentsWork({ dataDir, minutes }: Run): Promise<string[]> {
  header(`Hostile load for ${minutes} minutes`)
  const [postgres, redis] = await Promise.all([startPostgres('loopback'), startRedis()])
  const { host, port, user, password, database } = postgres.address
  const env = {
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(String(password))}@${host}:${port}/${database}`,
    REDIS_URL: redis.url,
    SECRET_KEY: 'chaos chaos chaos chaos chaos chaos',
    TRUST_PROXY: '1',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'fatal',
    MAIL_IN_DOMAIN: 'in.chaos.test',
    USER_INVITATION_EMAIL: 'on',
    REGISTRATION: 'open',
    METRICS_TOKEN,
  }
  const smtpPorts = [await freePort(), await freePort()]
  const servers: Program[] = []
  const connection = connect(postgres.address, pino({ level: 'silent' }))
  try {
    for (const smtpPort of smtpPorts) {
      servers.push(new Program(await freePort(), { ...env, MAIL_IN_PORT: String(smtpPort) }))
      await servers.at(-1)!.start()
    }
    return await attackAll(connection.kysely, servers, smtpPorts, minutes * 60)
  } finally {
    await connection.end()
    for (const server of servers) await server.end('SIGTERM')
    await redis.stop()
    await postgres.stop()
  }
}

async function attackAll(db: Db, servers: Program[], smtpPorts: number[], seconds: number): Promise<string[]> {
  const { admin, address, order } = await setUp(servers, smtpPorts, seconds)
  const agents = new AgentsAtWork(
    servers.map(({ url }) => url),
    admin,
  )
  const mails = new HonestMails(smtpPorts, address)
  await agents.start()
  mails.start()
  await sleep(WARM_UP_MS)
  const restSeconds = Math.min(60, seconds)

  const quiet = agents.startPhase()
  const before = await observe(servers, METRICS_TOKEN, restSeconds)
  report('load of the machine in the quiet minute', loadavg()[0]!.toFixed(1))

  const attacked = agents.startPhase()
  const attack = startAttack(order)
  const during = await observe(servers, METRICS_TOKEN, seconds).finally(() => attack.stopSoon())
  report('load of the machine under attack', loadavg()[0]!.toFixed(1))
  reportAttacks(await attack.counts)

  agents.startPhase()
  const [sent, written] = [await agents.end(), await mails.end()]
  report('mails that still wait to be read', String(await waitForMails(db)))
  await sleep(restSeconds * 1000)
  const after = await Promise.all(servers.map(({ pid }) => megabytesOf(pid)))

  reportTimes(quiet, attacked, written.waits)
  reportMemory(before, during, after)
  const judged = await judgeMails(db, written.acknowledged)
  report('messages acknowledged', String(sent.acknowledged))
  report('mails acknowledged', `${written.acknowledged.length}, ${judged.asides} of them set aside`)
  return [
    ...(await judgeMessages(db, sent.senders)),
    ...sent.missed.map((id) => `message ${id} was acknowledged and never received by an agent`),
    ...judged.faults,
    ...judgeExperience(quiet, attacked),
  ]
}

async function setUp(servers: Program[], smtpPorts: number[], seconds: number) {
  const { url } = servers[0]!
  const admin = await register(url, 'ada@acme.test', 'Acme')
  const hostile = await register(url, 'olga@hostile.test', 'Hostile')
  const tokens = []
  for (let i = 0; i < FUNCTION_COMPANIES; i++)
    tokens.push((await register(url, `fresh${i}@hostile.test`, `Fresh ${i}`)).token)
  const addresses = []
  for (const { token } of [admin, hostile]) {
    const forwarding_address = { source_email_address: 'support@chaos.test' }
    const made = await callUntilAnswered(url, 'POST', '/api/forwarding_addresses', { forwarding_address }, token)
    addresses.push(made.body.data.forwarding_email_address as string)
  }
  const targets = servers.map((server, i) => ({ url: server.url, smtpPort: smtpPorts[i]! }))
  const order: AttackOrder = { targets, seconds, addresses, ...hostile, tokens }
  return { admin, address: addresses[0]!, order }
}

function startAttack(order: AttackOrder) {
  const child = fork(new URL('./attacks.ts', import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  // It stands for machines of attackers, so the servers come first; at the lowest priority it would hardly run at all
  // beside other work.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  const counts = new Promise<AttackCounts | undefined>((resolve) => {
    child.once('message', (message) => resolve(message as AttackCounts))
    child.once('exit', () => resolve(undefined))
  })
  child.send(order)
  return {
    counts,
    /** It ends by itself; this is for one that hangs. */
    stopSoon: () => void setTimeout(() => child.kill('SIGKILL'), ATTACK_END_MS).unref(),
  }
}

function reportAttacks(counts: AttackCounts | undefined): void {
  for (const [name, { done, failed }] of Object.entries(counts ?? {}))
    report(`  ${name}`, `${done} times, and ${failed} refused or cut off`)
}
