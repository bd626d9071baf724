import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { connect } from '#server/platform/db/connection.ts'
import { startPostgres } from '#tests/support/postgres.ts'
import { startRedis } from '#tests/support/redis-server.ts'
import { freePort } from '#tests/support/server-process.ts'
import { callUntilAnswered, openConversation, register, sendOverHttp } from './clients.ts'
import { startListener } from './listener.ts'
import { Program } from './program.ts'
import { findFaults } from './send.ts'

const root = resolve(import.meta.dirname, '../..')
const CLIENTS = 10
const LISTENERS = 20
const READ_EVERY_MS = 20

/** What clients behind the proxy saw while one of the servers was killed or restarted. */
export interface Phase {
  name: string
  reads: number
  /** Reads that failed or got no answer. */
  refused: number
  slowest_ms: number
}

interface Run {
  dataDir: string
  /** The proxy program to test. */
  proxy: 'nginx' | 'caddy'
  log(line: string): void
}

/**
 * Two servers behind the proxy of `deploy/`, with one PostgreSQL and one Redis, while customers write and the team
 * listens and reads: one server is killed and restarted, then each is restarted in turn.
 */
export async function restartInTurn({ dataDir, proxy, log }: Run) {
  const [postgres, redis] = await Promise.all([startPostgres('loopback'), startRedis()])
  const { host, port, user, password, database } = postgres.address
  const common = {
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(String(password))}@${host}:${port}/${database}`,
    REDIS_URL: redis.url,
    SECRET_KEY: 'chaos chaos chaos chaos chaos chaos',
    TRUST_PROXY: '1',
    RATE_LIMITS: 'off',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
  }
  const servers = [new Program(await freePort(), common), new Program(await freePort(), common)] as const
  for (const server of servers) await server.start()
  const front = await startProxy(proxy, dataDir, servers)
  const connection = connect(postgres.address, pino({ level: 'silent' }))
  try {
    const admin = await register(front.url, 'chaos@acme.test')
    const listeners = Array.from({ length: LISTENERS }, () => startListener(front.url, admin))
    for (const listener of listeners) await listener.start()
    let hasEnded = false
    const writing = Array.from({ length: CLIENTS }, async () => {
      const opened = await openConversation(front.url, admin.account_id)
      const parts = []
      while (!hasEnded) parts.push(await sendOverHttp(front.url, opened, 10, 20))
      return {
        conversation_id: opened.conversation_id,
        sent: parts.flatMap(({ sent }) => sent),
        acknowledged: new Set(parts.flatMap(({ acknowledged }) => [...acknowledged])),
      }
    })
    const phases: Phase[] = []
    const watch = async (name: string, work: () => Promise<unknown>) => {
      phases.push(await readMeanwhile(name, front.url, admin.token, work))
      const { reads, refused, slowest_ms } = phases.at(-1)!
      log(`${name}: ${reads} reads, ${refused} refused, the slowest took ${slowest_ms.toFixed(0)} ms`)
    }
    const [first, second] = servers
    await watch('nothing happens', () => sleep(5_000))
    await watch('one server is killed and comes back', async () => {
      await second.end('SIGKILL')
      await sleep(3_000)
      await second.start()
      await sleep(3_000)
    })
    await watch('both are restarted in turn', async () => {
      for (const server of [first, second]) {
        await server.end('SIGTERM')
        await server.start()
        await sleep(3_000)
      }
    })
    hasEnded = true
    const sent = await Promise.all(writing)
    const acknowledged = sent.flatMap((sender) => [...sender.acknowledged])
    const missed = await Promise.all(listeners.map((listener) => listener.findMissed(acknowledged)))
    const comebacks = listeners.reduce((sum, { counts }) => sum + counts.comebacks, 0)
    for (const listener of listeners) listener.stop()
    return {
      phases,
      acknowledged: acknowledged.length,
      comebacks,
      missed: [...new Set(missed.flat())],
      faults: await findFaults(connection.kysely, sent),
    }
  } finally {
    await connection.end()
    await front.stop()
    for (const server of servers) await server.end('SIGTERM')
    await redis.stop()
    await postgres.stop()
  }
}

/** Runs the configuration of `deploy/` with the addresses of these servers, on a port of its own. */
async function startProxy(kind: 'nginx' | 'caddy', folder: string, [first, second]: readonly [Program, Program]) {
  const port = await freePort()
  const template = await readFile(join(root, 'deploy', kind === 'nginx' ? 'nginx.conf' : 'Caddyfile'), 'utf8')
  const file = join(folder, kind)
  const configuration = template
    .replace(/server-1:4000( resolve)?/, `127.0.0.1:${first.port}`)
    .replace(/server-2:4000( resolve)?/, `127.0.0.1:${second.port}`)
    .replace('listen 80 backlog=4096;', `listen 127.0.0.1:${port};`)
    .replace(/^:80 /m, `http://127.0.0.1:${port} `)
  await mkdir(join(folder, 'proxy'), { recursive: true })
  await writeFile(
    file,
    kind === 'nginx'
      ? `daemon off; pid ${folder}/nginx.pid; error_log /dev/null; ${configuration.replace('http {', 'http { access_log off;')}`
      : `{\n\tadmin off\n}\n${configuration}`,
  )
  const args = kind === 'nginx' ? ['-c', file] : ['run', '--adapter', 'caddyfile', '--config', file]
  const child = spawn(kind, args, { stdio: 'ignore', env: { ...process.env, XDG_DATA_HOME: folder, HOME: folder } })
  await new Promise((resolve, reject) => {
    child.once('error', () => reject(new Error(`This needs ${kind}: apt-get install ${kind}`)))
    child.once('spawn', resolve)
  })
  const url = `http://127.0.0.1:${port}`
  await callUntilAnswered(url, 'GET', '/ready')
  return {
    url,
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** A team member reads continuously, without retries. */
async function readMeanwhile(name: string, url: string, token: string, work: () => Promise<unknown>): Promise<Phase> {
  const phase: Phase = { name, reads: 0, refused: 0, slowest_ms: 0 }
  let hasEnded = false
  const reading = (async () => {
    while (!hasEnded) {
      const start = performance.now()
      const headers = { authorization: token }
      const isGood = await fetch(`${url}/api/me`, { headers, signal: AbortSignal.timeout(10_000) }).then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.ok
        },
        () => false,
      )
      phase.reads++
      if (!isGood) phase.refused++
      phase.slowest_ms = Math.max(phase.slowest_ms, performance.now() - start)
      await sleep(READ_EVERY_MS)
    }
  })()
  await work().finally(() => {
    hasEnded = true
  })
  await reading
  return phase
}
