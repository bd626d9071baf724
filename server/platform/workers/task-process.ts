import { messageOf } from '../../errors.ts'
import { WorkerChild } from './child.ts'
import { WorkersBusy } from './fair-queue.ts'
import type { EndReason, PooledProcess } from './process-pool.ts'
import { type FromWorker, HEAP_MB, type ToWorker } from './protocol.ts'
import { WorkerKilled, WorkersStopped, WorkFailed } from './worker-errors.ts'
import type { WorkerTask } from './worker-task.ts'

/** A task with its input, and the caller's promise. */
export interface Order {
  task: WorkerTask<never, unknown>
  input: unknown
  resolve(output: unknown): void
  reject(error: Error): void
}

interface Current {
  order: Order
  wasSent: boolean
  timer: NodeJS.Timeout
  /** The pool waits for this. */
  done(): void
}

/** Time for starting a process, also on a busy machine. */
const START_MS = 60_000

/** A worker process with its current task. */
export class TaskProcess implements PooledProcess<Order> {
  readonly #child: WorkerChild
  readonly #priority: number
  #isReady = false
  #current: Current | undefined
  #end: EndReason | 'time' = 'crashed'

  constructor(priority: number, ended: () => void) {
    this.#priority = priority
    this.#child = new WorkerChild({
      program: new URL('./worker.ts', import.meta.url),
      execArgv: [`--max-old-space-size=${HEAP_MB}`, '--max-semi-space-size=8'],
      serialization: 'advanced',
      receive: (message) => this.#receive(message as FromWorker),
      ended: () => {
        ended()
        this.#finish(({ order, wasSent }) => order.reject(this.#explain(order, wasSent)))
      },
    })
  }

  run(order: Order): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(() => this.kill('crashed'), START_MS)
      const current: Current = { order, wasSent: false, timer, done }
      this.#current = current
      if (this.#isReady) this.#begin(current)
    })
  }

  kill(reason: EndReason | 'time'): void {
    this.#end = reason
    this.#child.kill()
  }

  #begin(current: Current): void {
    const { task, input } = current.order
    clearTimeout(current.timer)
    current.timer = setTimeout(() => this.kill('time'), task.timeoutMs)
    current.wasSent = true
    const message: ToWorker = { module: task.module.href, input }
    try {
      this.#child.send(message)
    } catch (error) {
      // The input contains something that cannot be copied, such as a function.
      this.#finish(({ order }) => order.reject(new WorkFailed(`${order.task.name}: ${messageOf(error)}`)))
    }
  }

  #receive(message: FromWorker): void {
    if (message.type === 'ready') {
      // Only now: at a low priority a start beside busy programs would take too long.
      this.#child.lowerPriority(this.#priority)
      this.#isReady = true
      if (this.#current) this.#begin(this.#current)
      return
    }
    this.#finish(({ order }) => {
      if (message.type === 'done') order.resolve(message.output)
      else order.reject(new WorkFailed(`${order.task.name}: ${message.reason}`))
    })
    if (message.isLarge) this.kill('stopped')
  }

  #finish(answer: (current: Current) => void): void {
    const current = this.#current
    if (!current) return
    this.#current = undefined
    clearTimeout(current.timer)
    answer(current)
    current.done()
  }

  /** A process that did not even start is not its task's fault. */
  #explain({ task }: Order, wasSent: boolean): Error {
    if (this.#end === 'stopped') return new WorkersStopped()
    if (!wasSent) return new WorkersBusy()
    return new WorkerKilled(this.#end === 'time' ? 'time' : 'memory', task.timeoutMs / 1000)
  }
}
