import { randomUUID } from 'node:crypto'
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten-core'
import { type FromSandbox, LIMITS, type SandboxLog, type SandboxTask, type ToSandbox } from './protocol.ts'

interface RunDependencies {
  send(message: FromSandbox): void
  ended(): void
}

/** The functions of `guest.js`. */
type GuestPart = 'start' | 'fire' | 'fetched'

/** Jobs of the guest code between two checks of the clock. */
const JOBS_AT_ONCE = 100
const LEVELS: string[] = ['log', 'info', 'warn', 'error', 'debug'] satisfies SandboxLog['level'][]

/** One run of guest code inside QuickJS, in a WebAssembly memory that is never shared or reused. */
export class GuestRun {
  readonly #runtime: QuickJSRuntime
  readonly #context: QuickJSContext
  readonly #around: RunDependencies
  readonly #task: SandboxTask
  readonly #guest: Record<GuestPart, QuickJSHandle>
  readonly #timers = new Map<number, NodeJS.Timeout>()
  #waiting = 0
  #fetches = 0
  #logLines = 0
  #logBytes = 0
  #spentMs = 0
  #sliceBegan = cpuMs()
  #isOver = false

  constructor(quickjs: QuickJSWASMModule, guest: string, task: SandboxTask, around: RunDependencies) {
    this.#task = task
    this.#around = around
    this.#runtime = quickjs.newRuntime()
    this.#runtime.setMemoryLimit(LIMITS.memoryBytes)
    this.#runtime.setMaxStackSize(LIMITS.stackBytes)
    this.#runtime.setInterruptHandler(() => this.#isOutOfTime())
    this.#context = this.#runtime.newContext()
    const context = this.#context
    const open = context.unwrapResult(context.evalCode(guest, 'parley.js'))
    const parts = context.unwrapResult(context.callFunction(open, context.undefined, this.#makeHost()))
    const part = (name: GuestPart) => context.getProp(parts, name)
    this.#guest = { start: part('start'), fire: part('fire'), fetched: part('fetched') }
  }

  start(): void {
    this.#enter('start', this.#context.newString(JSON.stringify(this.#task)))
  }

  /** Delivers the response to a request of the guest code. */
  fetched({ id, response, error }: Extract<ToSandbox, { type: 'fetched' }>): void {
    this.#waiting--
    const answer = this.#context.newString(JSON.stringify({ response, error }))
    this.#enter('fetched', this.#context.newNumber(id), answer)
  }

  /** Continues the guest code until it waits for something or its time is over. */
  #enter(name: GuestPart, ...args: QuickJSHandle[]): void {
    if (this.#isOver) return
    this.#sliceBegan = cpuMs()
    try {
      const { error } = this.#context.callFunction(this.#guest[name], this.#context.undefined, ...args)
      if (error) this.#fail(error)
      while (!this.#isOver && this.#runtime.hasPendingJob() && !this.#isOutOfTime()) {
        const { error: thrown } = this.#runtime.executePendingJobs(JOBS_AT_ONCE)
        if (thrown) this.#fail(thrown)
      }
    } catch (error) {
      this.#end({ ...failure('Error', BROKEN, String(error)), isBroken: true })
    }
    const isOut = this.#isOutOfTime()
    this.#spentMs += cpuMs() - this.#sliceBegan
    if (this.#isOver) return
    if (isOut) this.#end(failure('TimeoutError', CPU_SPENT))
    else if (this.#waiting === 0 && this.#timers.size === 0) this.#end(failure('Error', NEVER))
  }

  #isOutOfTime(): boolean {
    return this.#spentMs + cpuMs() - this.#sliceBegan > LIMITS.cpuMs
  }

  #fail(thrown: QuickJSHandle): void {
    if (this.#isOutOfTime()) return
    const { name, message, stack } = (this.#context.dump(thrown) ?? {}) as Record<string, unknown>
    this.#end(failure(String(name ?? 'Error'), String(message ?? ''), String(stack ?? '')))
  }

  #end(message: FromSandbox): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    this.#around.send(message)
    this.#around.ended()
  }

  /** The functions available to the guest. They only pass texts and numbers. */
  #makeHost(): QuickJSHandle {
    const context = this.#context
    const host = context.newObject()
    const text = (handle: QuickJSHandle) => context.getString(handle)
    const offer = (name: string, work: (...args: QuickJSHandle[]) => QuickJSHandle | undefined) =>
      context.newFunction(name, (...args) => work(...args)).consume((made) => context.setProp(host, name, made))
    const handler =
      (work: (...args: QuickJSHandle[]) => void) =>
      (...args: QuickJSHandle[]) => {
        work(...args)
        return undefined
      }
    offer(
      'log',
      handler((level, line) => this.#log(text(level!), text(line!))),
    )
    offer(
      'fetch',
      handler((id, request) => this.#fetch(context.getNumber(id!), text(request!))),
    )
    offer(
      'clear',
      handler((id) => this.#clear(context.getNumber(id!))),
    )
    offer(
      'done',
      handler((result) => this.#done(text(result!))),
    )
    offer(
      'fail',
      handler((name, message, stack) => this.#end(failure(text(name!), text(message!), text(stack!)))),
    )
    offer('timer', (id, ms) =>
      this.#wait(context.getNumber(id!), context.getNumber(ms!)) ? context.true : context.false,
    )
    offer('uuid', () => context.newString(randomUUID()))
    offer('parseUrl', (address, base) => context.newString(partsOf(text(address!), text(base!))))
    offer('base64', (argument) => context.newString(Buffer.from(text(argument!), 'latin1').toString('base64')))
    offer('unbase64', (argument) => context.newString(Buffer.from(text(argument!), 'base64').toString('latin1')))
    context
      .newFunction('compile', (source, path) =>
        context.evalCode(
          `(function (exports, require, module, __filename, __dirname) {${text(source)}\n})`,
          text(path),
        ),
      )
      .consume((made) => context.setProp(host, 'compile', made))
    return host
  }

  #log(level: string, line: string): void {
    if (this.#logLines > LIMITS.logLines || !LEVELS.includes(level)) return
    this.#logLines++
    const isFull = this.#logLines > LIMITS.logLines || this.#logBytes > LIMITS.logBytes
    if (isFull) this.#logLines = LIMITS.logLines + 1
    const text = isFull ? '… Further lines were left out.' : line.slice(0, LIMITS.logLineLength)
    this.#logBytes += text.length
    this.#around.send({ type: 'log', level: level as SandboxLog['level'], text })
  }

  #fetch(id: number, request: string): void {
    this.#waiting++
    if (++this.#fetches <= LIMITS.fetches) this.#around.send({ type: 'fetch', id, request: JSON.parse(request) })
    else setImmediate(() => this.fetched({ type: 'fetched', id, error: TOO_MANY }))
  }

  #wait(id: number, ms: number): boolean {
    if (this.#timers.size >= LIMITS.timers) return false
    this.#clear(id)
    this.#timers.set(
      id,
      setTimeout(
        () => {
          this.#timers.delete(id)
          this.#enter('fire', this.#context.newNumber(id))
        },
        Math.min(ms, LIMITS.totalMs),
      ),
    )
    return true
  }

  #clear(id: number): void {
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
  }

  #done(result: string): void {
    const kB = Math.round(LIMITS.resultBytes / 1000)
    if (result.length > LIMITS.resultBytes)
      this.#end(failure('RangeError', `The result of the function is larger than ${kB} kB.`))
    else this.#end({ type: 'done', result })
  }
}

const CPU_SPENT = `The function took more than ${LIMITS.cpuMs / 1000} seconds of processor time.`
const NEVER = 'The function waits for a promise that never settles.'
const TOO_MANY = `A function makes ${LIMITS.fetches} requests at most.`
const BROKEN = 'The function exhausted the memory or stack of the sandbox.'

/** Truncated to what people read of an error. */
function failure(errorType: string, errorMessage: string, stack = ''): Extract<FromSandbox, { type: 'failed' }> {
  const trace = stack
    .slice(0, 4_000)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !/parley\.js|\(native\)/.test(line))
  return {
    type: 'failed',
    error: {
      errorType: errorType.slice(0, 100),
      errorMessage: errorMessage.slice(0, 2_000),
      trace: trace.slice(0, 20),
    },
  }
}

function partsOf(address: string, base: string): string {
  const url = URL.parse(address, base || undefined)
  if (!url) return ''
  const { href, origin, protocol, host, hostname, port, pathname, search, hash } = url
  return JSON.stringify({ href, origin, protocol, host, hostname, port, pathname, search, hash })
}

/** Processor time of this thread, which does not include that of other programs. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
