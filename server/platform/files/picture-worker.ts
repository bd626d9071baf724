import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'

/** `clean`: the same picture upright and without its metadata. `thumbnail`: a small square WebP. `page`: a WebP that fits a page. */
export interface PictureTask {
  id: number
  kind: 'clean' | 'thumbnail' | 'page'
  bytes: Uint8Array
}

/** What the process made of one task. */
export interface PictureAnswer {
  id: number
  /** Undefined when the bytes are no picture that can be drawn. */
  bytes: Uint8Array | undefined
}

interface Waiting extends PictureTask {
  resolve(bytes: Buffer | undefined): void
}

/** Longer than a picture takes that keeps to its own limits, also where other programs leave the process little time. */
const TIMEOUT_MS = 60_000
/** Nobody who is talking waits for a picture. At the lowest priority, 19, it would never come beside a busy program. */
const PRIORITY = 15
/** The process takes some 70 MB, and few installations get a picture every minute. */
const IDLE_MS = 30_000
/** Pictures that wait are held in memory. To let small ones wait costs less than to refuse them again and again. */
const MAX_WAITING_BYTES = 40_000_000
const MAX_WAITING = 100

/** Too many pictures wait already. */
export class PicturesBusy extends Error {}

/** Converts pictures in a process of its own, one after the other. It is started when it is needed, and killed when it hangs. */
export class PictureWorker {
  readonly #waiting: Waiting[] = []
  #child: ChildProcess | undefined
  #current: Waiting | undefined
  #timer: NodeJS.Timeout | undefined
  #lastId = 0

  /**
   * The converted picture; undefined when the bytes are none that can be drawn.
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

  /** As a picture that brings it down would: what it was doing yields nothing. */
  killProcess() {
    this.#end()
  }

  /** Ends the process; what waits gets no picture. */
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
    // An idle one keeps no server from ending.
    child.unref()
    child.channel?.unref()
    return child
  }

  #finish(bytes: Uint8Array | undefined) {
    const current = this.#current
    this.#next()
    current?.resolve(bytes && Buffer.from(bytes))
  }

  /** Whatever it was doing yields no picture; a new process takes the next one. */
  #end() {
    clearTimeout(this.#timer)
    this.#child?.kill('SIGKILL')
    this.#child = undefined
    if (this.#current) this.#finish(undefined)
  }
}
