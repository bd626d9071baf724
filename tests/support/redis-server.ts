import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'
import { freePort } from './server-process.ts'

const BINARIES = ['/usr/bin/redis-server', '/usr/bin/valkey-server', '/usr/local/bin/redis-server']

export interface RedisServer {
  url: string
  /** Like a crash or a power cut: no data survives. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Runs a command of `redis-cli`. */
  command(...parts: string[]): Promise<unknown>
  /** Keeps its connections open but answers nothing, until `thaw`. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

/** A Redis for one test, on a free port of this machine. */
export async function startRedis(): Promise<RedisServer> {
  const binary = findBinary()
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'parley-redis-'))
  const url = `redis://127.0.0.1:${port}`
  let running: ChildProcess | undefined

  async function start() {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
    running = spawn(binary, args, { stdio: 'ignore' })
    await answers(url)
  }

  async function kill() {
    if (!running) return
    const ended = new Promise((resolve) => running?.once('exit', resolve))
    running.kill('SIGKILL')
    await ended
    running = undefined
  }

  await start()
  return {
    url,
    start,
    kill,
    command: (...parts) => withClient(url, (client) => client.sendCommand(parts)),
    freeze: () => running?.kill('SIGSTOP'),
    thaw: () => running?.kill('SIGCONT'),
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function findBinary(): string {
  const installed = () => BINARIES.find(existsSync)
  if (!installed()) {
    try {
      execFileSync('apt-get', ['install', '-y', 'redis-server'], { stdio: 'ignore' })
    } catch {
      throw new Error('These tests need a Redis server. Install it with: apt-get install redis-server')
    }
  }
  return installed() ?? 'redis-server'
}

async function answers(url: string) {
  for (let tries = 0; tries < 100; tries++) {
    try {
      return await withClient(url, (client) => client.ping())
    } catch {
      await sleep(50)
    }
  }
  throw new Error('The Redis server of this test did not start.')
}

const clientOf = (url: string) => createClient({ url, socket: { reconnectStrategy: false } })

async function withClient<T>(url: string, work: (client: ReturnType<typeof clientOf>) => Promise<T>): Promise<T> {
  const client = clientOf(url)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    client.destroy()
  }
}
