import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { parseJson } from '../json.ts'
import {
  FromSandbox,
  LIMITS,
  type SandboxError,
  type SandboxLog,
  SandboxRequest,
  type SandboxResponse,
  type SandboxTask,
  type ToSandbox,
} from './protocol.ts'

/** What the guest code may request from outside. */
export interface SandboxHost {
  /** @throws if there is no response; the guest code gets the reason */
  fetch(request: SandboxRequest): Promise<SandboxResponse>
}

/** The outcome of a run. */
export interface SandboxOutcome {
  result: unknown
  /** Undefined if the code returned normally. */
  error: SandboxError | undefined
  logs: SandboxLog[]
  duration_ms: number
}

interface Run {
  task: SandboxTask
  host: SandboxHost
  resolve(outcome: SandboxOutcome): void
}

/** Number of processes. Each takes some 60 MB and, while computing, one core. */
const PROCESSES = 4
const IDLE_MS = 30_000
/** Time for starting a process, also on a busy machine. */
const START_MS = 30_000
/** Work that customers wait for takes precedence. */
const PRIORITY = 5

/**
 * Runs untrusted code in separate processes, one run at a time each. A process is started on demand, and killed when
 * its code takes too long; the next run gets a new one.
 */
export class Sandbox {
  readonly #waiting: Run[] = []
  readonly #idle: SandboxProcess[] = []
  readonly #all = new Set<SandboxProcess>()
  readonly #totalMs: number
  #isStopped = false

  /** `totalMs`: how long a run may take, including waiting. On a busy machine code gets its processor time late. */
  constructor({ totalMs = LIMITS.totalMs } = {}) {
    this.#totalMs = totalMs
  }

  /** Never throws: the outcome contains any error. */
  run(task: SandboxTask, host: SandboxHost): Promise<SandboxOutcome> {
    if (this.#isStopped) return Promise.resolve(failed('Error', STOPPED))
    return new Promise((resolve) => {
      this.#waiting.push({ task, host, resolve })
      this.#next()
    })
  }

  /** Ends all processes; runs in progress fail. */
  stop(): void {
    this.#isStopped = true
    for (const one of this.#all) one.kill(STOPPED)
    for (const { resolve } of this.#waiting.splice(0)) resolve(failed('Error', STOPPED))
  }

  /** Kills the processes as the system might. */
  killProcesses(): void {
    for (const one of this.#all) one.kill(DIED)
  }

  #next(): void {
    if (this.#waiting.length === 0) return
    const free = this.#idle.pop() ?? (this.#all.size < PROCESSES ? this.#start() : undefined)
    if (!free) return
    const { task, host, resolve } = this.#waiting.shift()!
    void free.run(task, host).then((outcome) => {
      if (this.#all.has(free)) this.#idle.push(free)
      resolve(outcome)
      this.#next()
    })
  }

  #start(): SandboxProcess {
    const started = new SandboxProcess(this.#totalMs, () => {
      this.#all.delete(started)
      if (this.#idle.includes(started)) this.#idle.splice(this.#idle.indexOf(started), 1)
      this.#next()
    })
    this.#all.add(started)
    return started
  }
}

const DIED = 'The sandbox crashed while the function ran, most likely because it used too much memory.'
const STOPPED = 'The server was stopped while the function ran.'

interface Current {
  host: SandboxHost
  logs: SandboxLog[]
  begun: number
  underWay: number
  /** Requests waiting for others to be answered. */
  requests: { id: number; request: unknown }[]
  timer: NodeJS.Timeout
  resolve(outcome: SandboxOutcome): void
}

/** A process with its current run. */
class SandboxProcess {
  readonly #child: ChildProcess
  readonly #ready = Promise.withResolvers<void>()
  readonly #gone: () => void
  readonly #totalMs: number
  #current: Current | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #isGone = false

  constructor(totalMs: number, gone: () => void) {
    this.#totalMs = totalMs
    this.#gone = gone
    this.#child = fork(PROGRAM, { env: {}, execArgv: ARGUMENTS, stdio: 'ignore', cwd: FOLDER })
    const { pid } = this.#child
    if (pid !== undefined) setPriority(pid, PRIORITY)
    this.#child.on('message', (message) => this.#receive(message))
    this.#child.on('exit', () => this.kill(DIED))
    this.#child.on('error', () => this.kill(DIED))
    // An idle process does not keep the server running.
    this.#child.unref()
    this.#child.channel?.unref()
  }

  run(task: SandboxTask, host: SandboxHost): Promise<SandboxOutcome> {
    clearTimeout(this.#idleTimer)
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.kill('The sandbox did not start.'), START_MS)
      const current = { host, logs: [], begun: performance.now(), underWay: 0, requests: [], timer, resolve }
      this.#current = current
      void this.#ready.promise.then(() => {
        if (this.#current !== current) return
        clearTimeout(timer)
        current.begun = performance.now()
        const tooLong = `The function took more than ${this.#totalMs / 1000} seconds.`
        current.timer = setTimeout(() => this.kill(tooLong, 'TimeoutError'), this.#totalMs)
        this.#send({ type: 'run', task })
      })
    })
  }

  /** Ends the process, and fails its run with a reason. */
  kill(reason: string, type = 'Error'): void {
    if (this.#isGone) return
    this.#isGone = true
    clearTimeout(this.#idleTimer)
    this.#child.kill('SIGKILL')
    this.#gone()
    this.#finish({ error: { errorType: type, errorMessage: reason, trace: [] }, result: null })
  }

  #send(message: ToSandbox): void {
    if (!this.#isGone) this.#child.send(message, (error) => error && this.kill(DIED))
  }

  #receive(raw: unknown): void {
    const { success, data: message } = z.safeParse(FromSandbox, raw)
    if (!success) this.kill(DIED)
    else if (message.type === 'ready') this.#ready.resolve()
    else if (this.#current) this.#handleRunMessage(this.#current, message)
  }

  #handleRunMessage(current: Current, message: Exclude<FromSandbox, { type: 'ready' }>): void {
    if (message.type === 'log') {
      const { level, text } = message
      // The process itself drops excess lines, unless untrusted code has taken it over.
      if (current.logs.length > LIMITS.logLines) this.kill(DIED)
      else current.logs.push({ level, text: text.slice(0, LIMITS.logLineLength) })
    } else if (message.type === 'fetch') {
      current.requests.push(message)
      this.#fetchNext(current)
    } else if (message.type === 'done') this.#finish(readResult(message.result))
    else {
      this.#finish({ result: null, error: message.error })
      if (message.isBroken) this.kill(DIED)
    }
  }

  #fetchNext(current: Current): void {
    while (current.underWay < LIMITS.fetchesAtOnce && current.requests.length > 0) {
      const { id, request } = current.requests.shift()!
      current.underWay++
      void this.#fetch(current.host, request).then((answer) => {
        current.underWay--
        if (this.#current !== current) return
        this.#send({ type: 'fetched', id, ...answer })
        this.#fetchNext(current)
      })
    }
  }

  async #fetch(host: SandboxHost, given: unknown): Promise<{ response: SandboxResponse } | { error: string }> {
    const { success, data: request } = z.safeParse(SandboxRequest, given)
    if (!success) return { error: 'The request cannot be sent: its method, headers or body are invalid.' }
    try {
      return { response: await host.fetch(request) }
    } catch (error) {
      return { error: error instanceof Error ? error.message : 'The request failed.' }
    }
  }

  #finish({ result, error }: Pick<SandboxOutcome, 'result' | 'error'>): void {
    const current = this.#current
    if (!current) return
    this.#current = undefined
    clearTimeout(current.timer)
    this.#idleTimer = setTimeout(() => this.kill(STOPPED), IDLE_MS)
    this.#idleTimer.unref()
    const duration_ms = Math.round(performance.now() - current.begun)
    current.resolve({ result, error, logs: current.logs, duration_ms })
  }
}

function readResult(text: string): Pick<SandboxOutcome, 'result' | 'error'> {
  try {
    if (text.length <= LIMITS.resultBytes) return { result: parseJson(text, DEEPEST), error: undefined }
  } catch {
    // The process's end is handled below.
  }
  return failed('Error', 'The result of the function cannot be serialized as JSON.')
}

/** Maximum nesting of a function's result. */
const DEEPEST = 50

function failed(errorType: string, errorMessage: string): SandboxOutcome {
  return { result: null, error: { errorType, errorMessage, trace: [] }, logs: [], duration_ms: 0 }
}

const FOLDER = dirname(fileURLToPath(import.meta.url))
const PROGRAM = new URL('./sandbox-process.ts', import.meta.url)
const LIBRARIES = resolve(FOLDER, '../../../node_modules')

/** No files except its own code and libraries, no other processes, no threads, no native modules, little memory. */
const ARGUMENTS = [
  '--permission',
  `--allow-fs-read=${FOLDER}/`,
  `--allow-fs-read=${LIBRARIES}/`,
  '--max-old-space-size=256',
  '--max-semi-space-size=2',
  '--disable-proto=delete',
]
