import type { Context } from '../../../context.ts'
import { defineTask } from '../../../platform/workers/worker-task.ts'
import type { ListPart, work } from './read-list-work.ts'

const readTask = defineTask<typeof work>('customers.readList', {
  module: new URL('./read-list-work.ts', import.meta.url),
  timeoutMs: 30_000,
})

/**
 * Some rows of a CSV file, its first row and the number of all, read in a worker process.
 * @throws WorkerKilled; WorkersBusy; WorkersStopped
 */
export function readList(
  { workers }: Pick<Context, 'workers'>,
  account_id: string,
  content: string,
  { from = 0, count = 0 } = {},
): Promise<ListPart> {
  return readTask.run(workers, { account_id, bytes: content.length }, { content, from, count })
}
