import { FairQueue } from './fair-queue.ts'

/** Why a process is killed: it was idle or the server stops, or as if it had crashed. */
export type EndReason = 'stopped' | 'crashed'

/** A process of a pool. It runs one task at a time. */
export interface PooledProcess<Task> {
  /** Resolves once the process is free for the next task, or has ended. Never rejects. */
  run(task: Task): Promise<void>
  /** Ends the process at once; its task fails. */
  kill(reason: EndReason): void
}

export interface PoolOptions<Task> {
  /** How many processes run at once. */
  processes: number
  /** How many of them one account may use at once. */
  perAccount: number
  /** Limits of the waiting tasks. */
  waiting: { items: number; bytes: number }
  /** Starts a process, which calls `ended` once it has ended for any reason. */
  start(ended: () => void): PooledProcess<Task>
  /** Called for a waiting task that will never run. */
  drop(task: Task, why: 'busy' | 'stopped'): void
}

/** An idle process takes memory, and few installations need one every minute. */
const IDLE_MS = 30_000

/**
 * Distributes tasks to processes, in fair turns between accounts. Processes are started on demand and ended when idle;
 * one that ended is replaced by the next task.
 */
export class ProcessPool<Task> {
  readonly #options: PoolOptions<Task>
  readonly #queue: FairQueue<Task>
  readonly #all = new Set<PooledProcess<Task>>()
  readonly #idle = new Map<PooledProcess<Task>, NodeJS.Timeout>()
  readonly #running = new Map<string, number>()
  #isStopped = false

  constructor(options: PoolOptions<Task>) {
    this.#options = options
    this.#queue = new FairQueue(options.waiting)
  }

  /**
   * Runs a task when it is its account's turn.
   * @throws WorkersBusy if this account's tasks already fill the queue
   */
  add(account_id: string, task: Task, bytes: number): void {
    if (this.#isStopped) {
      this.#options.drop(task, 'stopped')
      return
    }
    for (const dropped of this.#queue.push(account_id, task, bytes)) this.#options.drop(dropped, 'busy')
    this.#next()
  }

  /** Ends all processes. Running and waiting tasks fail, and so do later ones. */
  stop(): void {
    this.#isStopped = true
    for (const task of this.#queue.clear()) this.#options.drop(task, 'stopped')
    for (const process of this.#all) process.kill('stopped')
  }

  /** For tests: ends all processes as a crash would. */
  crashAll(): void {
    for (const process of this.#all) process.kill('crashed')
  }

  #next(): void {
    while (this.#idle.size > 0 || this.#all.size < this.#options.processes) {
      const next = this.#queue.shift((account_id) => this.#countOf(account_id) < this.#options.perAccount)
      if (!next) return
      void this.#run(next.account_id, next.item)
    }
  }

  async #run(account_id: string, task: Task): Promise<void> {
    const process = this.#takeIdle() ?? this.#start()
    this.#running.set(account_id, this.#countOf(account_id) + 1)
    await process.run(task)
    const count = this.#countOf(account_id) - 1
    if (count > 0) this.#running.set(account_id, count)
    else this.#running.delete(account_id)
    if (this.#all.has(process)) this.#idle.set(process, setTimeout(() => process.kill('stopped'), IDLE_MS).unref())
    this.#next()
  }

  #countOf(account_id: string): number {
    return this.#running.get(account_id) ?? 0
  }

  /** The one used last, so that the others can end. */
  #takeIdle(): PooledProcess<Task> | undefined {
    const [process, timer] = [...this.#idle].at(-1) ?? []
    if (!process) return undefined
    clearTimeout(timer)
    this.#idle.delete(process)
    return process
  }

  #start(): PooledProcess<Task> {
    const process = this.#options.start(() => {
      this.#all.delete(process)
      clearTimeout(this.#idle.get(process))
      this.#idle.delete(process)
      this.#next()
    })
    this.#all.add(process)
    return process
  }
}
