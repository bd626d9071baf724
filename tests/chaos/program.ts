import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { callUntilAnswered } from './clients.ts'

const root = resolve(import.meta.dirname, '../..')

/** The server, started as an operator would. */
export class Program {
  readonly port: number
  readonly #env: Record<string, string>
  #child: ChildProcess | undefined

  constructor(port: number, env: Record<string, string>) {
    this.port = port
    this.#env = { ...env, PORT: String(port), BASE_URL: 'http://localhost' }
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get pid(): number {
    return this.#child!.pid!
  }

  async start() {
    this.#child = spawn(process.execPath, ['server/main.ts'], {
      cwd: root,
      env: { ...process.env, ...this.#env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await callUntilAnswered(this.url, 'GET', '/ready')
  }

  async end(signal: 'SIGTERM' | 'SIGKILL') {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }
}
