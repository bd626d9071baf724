import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
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
/**
 * Many pictures must not slow down anything else, so the process has a low priority after its start and first picture.
 * Beside busy programs these would otherwise take so long that even a single picture times out. At the lowest priority,
 * 19, it would never run beside one.
 */
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
  /** The last picture ended its process, as a malicious one would do again and again. */
  #hasFailed = false

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
    if (this.#hasFailed) lowerPriority(child)
    child.once('message', () => child === this.#child && lowerPriority(child))
    child.on('message', ({ id, bytes }: PictureAnswer) => {
      if (id !== this.#current?.id) return
      this.#hasFailed = false
      this.#finish(bytes)
    })
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
    if (!this.#current) return
    this.#hasFailed = true
    this.#finish(undefined)
  }
}

/** Linux has priorities by thread: those of the libraries keep theirs unless each is lowered. */
function lowerPriority({ pid }: ChildProcess) {
  if (pid === undefined) return
  const threads = `/proc/${pid}/task`
  const ids = existsSync(threads) ? readdirSync(threads).map(Number) : [pid]
  for (const id of ids) {
    try {
      setPriority(id, PRIORITY)
    } catch {
      // This thread has just ended.
    }
  }
}
