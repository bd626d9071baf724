import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'

/** `clean`: upright and without metadata. `thumbnail`: a small square WebP. `page`: a WebP that fits a page. */
export interface PictureTask {
  id: number
  kind: 'clean' | 'thumbnail' | 'page'
  bytes: Uint8Array
}

/** The process's answer to a task. */
export interface PictureAnswer {
  id: number
  /** Undefined if the bytes are no valid picture. */
  bytes: Uint8Array | undefined
}

interface Waiting extends PictureTask {
  resolve(bytes: Buffer | undefined): void
}

/** Longer than any picture within the process's own limits, even if other programs leave it little processor time. */
const TIMEOUT_MS = 60_000
/** Pictures are not urgent. At the lowest priority, 19, the process would never run beside a busy program. */
const PRIORITY = 15
/** The process takes some 70 MB, and few installations get a picture every minute. */
const IDLE_MS = 30_000
/** Waiting pictures are held in memory. Letting small ones wait is cheaper than refusing them repeatedly. */
const MAX_WAITING_BYTES = 40_000_000
const MAX_WAITING = 100

/** Too many pictures are waiting. */
export class PicturesBusy extends Error {}

/**
 * Converts pictures one after the other in a separate process, which is started on demand, and killed when it hangs.
 */
export class PictureWorker {
  readonly #waiting: Waiting[] = []
  #child: ChildProcess | undefined
  #current: Waiting | undefined
  #timer: NodeJS.Timeout | undefined
  #lastId = 0

  /**
   * The converted picture; undefined if the bytes are no valid picture.
   * @throws PicturesBusy
   */
  convert(kind: PictureTask['kind'], bytes: Uint8Array): Promise<Buffer | undefined> {
    const held = this.#waiting.reduce((sum, { bytes }) => sum + bytes.length, bytes.length)
    if (held > MAX_WAITING_BYTES || this.#waiting.length >= MAX_WAITING) throw new PicturesBusy()
    return new Promise((resolve) => {
      this.#waiting.push({ id: ++this.#lastId, kind, bytes, resolve })
      if (!this.#current) this.#next()
    })
  }

  /** For tests: kills the process as a malicious picture would; its current task yields nothing. */
  killProcess() {
    this.#end()
  }

  /** Stops the process; waiting tasks yield no picture. */
  stop() {
    const left = this.#waiting.splice(0)
    this.#end()
    for (const { resolve } of left) resolve(undefined)
  }

  #next() {
    clearTimeout(this.#timer)
    this.#current = this.#waiting.shift()
    if (!this.#current) {
      this.#timer = setTimeout(() => this.#end(), IDLE_MS)
      this.#timer.unref()
      return
    }
    const { id, kind, bytes } = this.#current
    this.#timer = setTimeout(() => this.#end(), TIMEOUT_MS)
    const task: PictureTask = { id, kind, bytes }
    this.#start().send(task, (error) => error && this.#end())
  }

  #start(): ChildProcess {
    if (this.#child) return this.#child
    const child = fork(new URL('./picture-process.ts', import.meta.url), {
      serialization: 'advanced',
      stdio: 'ignore',
      execArgv: ['--max-semi-space-size=1'],
    })
    this.#child = child
    if (child.pid !== undefined) setPriority(child.pid, PRIORITY)
    child.on('message', ({ id, bytes }: PictureAnswer) => id === this.#current?.id && this.#finish(bytes))
    child.on('exit', () => child === this.#child && this.#end())
    child.on('error', () => child === this.#child && this.#end())
    // An idle process does not keep the server running.
    child.unref()
    child.channel?.unref()
    return child
  }

  #finish(bytes: Uint8Array | undefined) {
    const current = this.#current
    this.#next()
    current?.resolve(bytes && Buffer.from(bytes))
  }

  /** The current task yields no picture; a new process takes the next one. */
  #end() {
    clearTimeout(this.#timer)
    this.#child?.kill('SIGKILL')
    this.#child = undefined
    if (this.#current) this.#finish(undefined)
  }
}
