import { type ChildProcess, fork, type SerializationType } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'

export interface ChildOptions {
  program: URL
  /** Options of Node.js: limits of memory, permissions. */
  execArgv: string[]
  serialization?: SerializationType
  cwd?: string
  receive(message: unknown): void
  /** Called once, after the process has ended or was killed. */
  ended(): void
}

/**
 * A process that works on foreign input: without environment variables or output, and killed when it misbehaves. It
 * does not keep the server running.
 */
export class WorkerChild {
  readonly #child: ChildProcess
  readonly #ended: () => void
  #hasEnded = false

  constructor({ program, execArgv, serialization = 'json', cwd, receive, ended }: ChildOptions) {
    this.#ended = ended
    // The process's watchdog compares this with its parent.
    const argument = String(process.pid)
    this.#child = fork(program, [argument], { env: {}, execArgv, stdio: 'ignore', serialization, cwd })
    this.#child.on('message', (message) => this.#hasEnded || receive(message))
    this.#child.on('exit', () => this.kill())
    this.#child.on('error', () => this.kill())
    this.#child.unref()
    this.#child.channel?.unref()
  }

  send(message: object): void {
    if (!this.#hasEnded) this.#child.send(message, (error) => error && this.kill())
  }

  /** Ends the process at once, whatever it is doing. */
  kill(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#child.kill('SIGKILL')
    this.#ended()
  }

  /**
   * Lets other programs go first. Linux has priorities by thread: those of libraries keep theirs unless each is lowered.
   */
  lowerPriority(priority: number): void {
    const { pid } = this.#child
    if (pid === undefined) return
    for (const id of threadsOf(pid)) {
      try {
        setPriority(id, priority)
      } catch {
        // This thread has just ended.
      }
    }
  }
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
  }
}
