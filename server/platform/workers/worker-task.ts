import type { Workers } from './workers.ts'

interface TaskOptions {
  /** The module that exports `work`. Only worker processes load it, with the libraries it needs. */
  module: URL
  /** After this time its process is killed. Waiting for a process does not count. */
  timeoutMs: number
}

/** A kind of work that is done in worker processes. Input and output are copied, so they contain only plain values. */
export class WorkerTask<Input, Output> {
  readonly name: string
  readonly module: URL
  readonly timeoutMs: number

  constructor(name: string, { module, timeoutMs }: TaskOptions) {
    this.name = name
    this.module = module
    this.timeoutMs = timeoutMs
  }

  /**
   * Runs the task when it is the account's turn. `bytes` is the size of its input, roughly.
   * @throws WorkersBusy; WorkerKilled; WorkersStopped; WorkFailed
   */
  async run(workers: Workers, turn: { account_id: string; bytes: number }, input: Input): Promise<Output> {
    return (await workers.run(this, turn, input)) as Output
  }
}

/** Declares a task by the type of its module's `work`. What it may expect to go wrong, it returns instead of throwing. */
export function defineTask<Work extends (input: never) => unknown>(name: string, options: TaskOptions) {
  return new WorkerTask<Parameters<Work>[0], Awaited<ReturnType<Work>>>(name, options)
}
