import { WorkersBusy } from './fair-queue.ts'
import { ProcessPool } from './process-pool.ts'
import { type Order, TaskProcess } from './task-process.ts'
import { WorkersStopped } from './worker-errors.ts'
import type { WorkerTask } from './worker-task.ts'

interface WorkersOptions {
  /** How many processes run at once. */
  processes: number
  /** How many of them one account may use at once; fewer, so that another one's task starts at once. */
  perAccount: number
  /** Of the processes, as for `nice`. */
  priority: number
}

/** Waiting input is held in memory. */
const WAITING = { items: 500, bytes: 100_000_000 }

/**
 * Works on foreign input in processes of their own, so that a mail or picture that takes very long, eats all memory or
 * breaks its library affects nothing else. Tasks are called through `WorkerTask.run`.
 */
export class Workers {
  readonly #pool: ProcessPool<Order>

  constructor({ processes, perAccount, priority }: WorkersOptions) {
    this.#pool = new ProcessPool({
      processes,
      perAccount,
      waiting: WAITING,
      start: (ended) => new TaskProcess(priority, ended),
      drop: (order, why) => order.reject(why === 'busy' ? new WorkersBusy() : new WorkersStopped()),
    })
  }

  /** Runs a task when it is the account's turn. `bytes` is the size of its input. */
  run(task: WorkerTask<never, unknown>, turn: { account_id: string; bytes: number }, input: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#pool.add(turn.account_id, { task, input, resolve, reject }, turn.bytes)
    })
  }

  /** Kills all processes. Their tasks, waiting ones and later ones fail with WorkersStopped. */
  stop(): void {
    this.#pool.stop()
  }

  /** For tests: ends the processes as their input might. */
  crashAll(): void {
    this.#pool.crashAll()
  }
}
