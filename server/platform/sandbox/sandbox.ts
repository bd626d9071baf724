import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { parseJson } from '../json.ts'
import { WorkerChild } from '../workers/child.ts'
import { WorkersBusy } from '../workers/fair-queue.ts'
import { type EndReason, type PooledProcess, ProcessPool } from '../workers/process-pool.ts'
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
/** So that two accounts can use them at once, and a third one waits for one run at most. */
const PER_ACCOUNT = 2
/** Code and input of waiting runs are held in memory. */
const WAITING = { items: 200, bytes: 50_000_000 }
/** Time for starting a process, also on a busy machine. */
const START_MS = 30_000
/** Work that customers wait for takes precedence. */
const PRIORITY = 5

/**
 * Runs untrusted code in separate processes, one run at a time each. A process is started on demand, and killed when
 * its code takes too long; the next run gets a new one. Accounts take turns.
 */
export class Sandbox {
  readonly #pool: ProcessPool<Run>

  /** `totalMs`: how long a run may take, including waiting. On a busy machine code gets its processor time late. */
  constructor({ totalMs = LIMITS.totalMs } = {}) {
    this.#pool = new ProcessPool<Run>({
      processes: PROCESSES,
      perAccount: PER_ACCOUNT,
      waiting: WAITING,
      start: (ended) => new SandboxProcess(totalMs, ended),
      drop: ({ resolve }, why) => resolve(failed('Error', why === 'busy' ? BUSY : STOPPED)),
    })
  }

  /** Runs code of an account when it is its turn. Never throws: the outcome contains any error. */
  run(account_id: string, task: SandboxTask, host: SandboxHost): Promise<SandboxOutcome> {
    const { promise, resolve } = Promise.withResolvers<SandboxOutcome>()
    try {
      this.#pool.add(account_id, { task, host, resolve }, task.code.length)
    } catch (error) {
      if (!(error instanceof WorkersBusy)) throw error
      resolve(failed('Error', BUSY))
    }
    return promise
  }

  /** Ends all processes; runs in progress fail. */
  stop(): void {
    this.#pool.stop()
  }

  /** For tests: ends the processes as a crash would. */
  crashAll(): void {
    this.#pool.crashAll()
  }
}

const DIED = 'The sandbox crashed while the function ran, most likely because it used too much memory.'
const STOPPED = 'The server was stopped while the function ran.'
const BUSY = 'Too many functions were waiting, so this one was not run.'

interface Current {
  host: SandboxHost
  logs: SandboxLog[]
  begun: number
  underWay: number
  /** Requests waiting for others to be answered. */
  requests: { id: number; request: unknown }[]
  timer: NodeJS.Timeout
  resolve(outcome: SandboxOutcome): void
  /** The pool waits for this. */
  done(): void
}

/** A process with its current run. */
class SandboxProcess implements PooledProcess<Run> {
  readonly #child: WorkerChild
  readonly #ready = Promise.withResolvers<void>()
  readonly #totalMs: number
  #current: Current | undefined
  /** The error of a run whose process ends now. */
  #failure = { errorType: 'Error', errorMessage: DIED, trace: [] as string[] }

  constructor(totalMs: number, ended: () => void) {
    this.#totalMs = totalMs
    this.#child = new WorkerChild({
      program: PROGRAM,
      execArgv: ARGUMENTS,
      cwd: FOLDER,
      receive: (message) => this.#receive(message),
      ended: () => {
        ended()
        this.#finish({ result: null, error: this.#failure })
      },
    })
    this.#child.lowerPriority(PRIORITY)
  }

  run({ task, host, resolve }: Run): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(() => this.#end('The sandbox did not start.'), START_MS)
      const begun = performance.now()
      const current: Current = { host, logs: [], begun, underWay: 0, requests: [], timer, resolve, done }
      this.#current = current
      void this.#ready.promise.then(() => {
        if (this.#current !== current) return
        clearTimeout(timer)
        current.begun = performance.now()
        const tooLong = `The function took more than ${this.#totalMs / 1000} seconds.`
        current.timer = setTimeout(() => this.#end(tooLong, 'TimeoutError'), this.#totalMs)
        this.#send({ type: 'run', task })
      })
    })
  }

  kill(reason: EndReason): void {
    this.#end(reason === 'stopped' ? STOPPED : DIED)
  }

  /** Ends the process, and fails its run with a reason. */
  #end(errorMessage: string, errorType = 'Error'): void {
    this.#failure = { errorType, errorMessage, trace: [] }
    this.#child.kill()
  }

  #send(message: ToSandbox): void {
    this.#child.send(message)
  }

  #receive(raw: unknown): void {
    const { success, data: message } = z.safeParse(FromSandbox, raw)
    if (!success) this.#end(DIED)
    else if (message.type === 'ready') this.#ready.resolve()
    else if (this.#current) this.#handleRunMessage(this.#current, message)
  }

  #handleRunMessage(current: Current, message: Exclude<FromSandbox, { type: 'ready' }>): void {
    if (message.type === 'log') {
      const { level, text } = message
      // The process itself drops excess lines, unless untrusted code has taken it over.
      if (current.logs.length > LIMITS.logLines) this.#end(DIED)
      else current.logs.push({ level, text: text.slice(0, LIMITS.logLineLength) })
    } else if (message.type === 'fetch') {
      current.requests.push(message)
      this.#fetchNext(current)
    } else if (message.type === 'done') this.#finish(readResult(message.result))
    else {
      this.#finish({ result: null, error: message.error })
      if (message.isBroken) this.#end(DIED)
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

  async #fetch(host: SandboxHost, input: unknown): Promise<{ response: SandboxResponse } | { error: string }> {
    const { success, data: request } = z.safeParse(SandboxRequest, input)
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
    const duration_ms = Math.round(performance.now() - current.begun)
    current.resolve({ result, error, logs: current.logs, duration_ms })
    current.done()
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
