import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ConnectionConfig } from '#server/platform/db/connection.ts'

/** Compile cache shared by the dozens of processes of a run. */
export const COMPILED = fileURLToPath(new URL('../../.cache/compiled', import.meta.url))

interface Ready {
  url: string
  pid: number
  /** The pid of its database, if it started one. */
  postmaster: number | undefined
  database: ConnectionConfig
}

/** A server process that restarts on the same port after each kill, as under a supervisor. */
export class ServerProcess {
  readonly port: number
  readonly #env: NodeJS.ProcessEnv
  #child: ChildProcess | undefined
  ready: Ready | undefined

  constructor(port: number, dataDir: string, env: Record<string, string> = {}) {
    this.port = port
    this.#env = {
      ...process.env,
      // The test runner sets a BASE_URL with another meaning.
      BASE_URL: '',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      REGISTRATION: 'open',
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
      NODE_COMPILE_CACHE: COMPILED,
      ...env,
    }
  }

  async start(): Promise<Ready> {
    const child = fork(new URL('./server-child.ts', import.meta.url), {
      env: this.#env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child = child
    this.ready = await new Promise<Ready>((resolve, reject) => {
      child.once('message', (message) => resolve(message as Ready))
      child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready.`)))
    })
    return this.ready
  }

  /** `kill -9`. */
  async kill() {
    const child = this.#child!
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exited
  }

  async killAndRestart() {
    await this.kill()
    await this.start()
  }

  /** `kill -9` for the database only; the server restarts it by itself. */
  async killDatabase() {
    process.kill(this.ready!.postmaster!, 'SIGKILL')
    await sleep(500)
  }

  async stop() {
    const child = this.#child
    if (!child || child.exitCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await exited
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}
