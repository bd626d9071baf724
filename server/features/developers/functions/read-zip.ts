import type { Context } from '../../../context.ts'
import { Unacceptable } from '../../../errors.ts'
import { WorkerKilled, WorkFailed } from '../../../platform/workers/worker-errors.ts'
import { defineTask } from '../../../platform/workers/worker-task.ts'
import type { Deployment } from './functions.ts'
import type { work } from './read-zip-work.ts'

const unpackTask = defineTask<typeof work>('functions.unpack', {
  module: new URL('./read-zip-work.ts', import.meta.url),
  timeoutMs: 20_000,
})

/**
 * Reads an upload of Papercups' dashboard: a zip with `index.js` and the modules it requires.
 * @throws Unacceptable; WorkersBusy; WorkersStopped
 */
export async function readZip(
  { workers }: Pick<Context, 'workers'>,
  account_id: string,
  bytes: Buffer,
): Promise<Required<Deployment>> {
  const turn = { account_id, bytes: bytes.length }
  const outcome = await unpackTask.run(workers, turn, bytes).catch((error: unknown) => {
    if (!(error instanceof WorkFailed || error instanceof WorkerKilled)) throw error
    throw new Unacceptable('This file is not a valid ZIP file. Upload a ZIP file that contains index.js.')
  })
  if ('problem' in outcome) throw new Unacceptable(outcome.problem)
  const { 'index.js': code, ...modules } = outcome.files
  if (code === undefined) throw new Unacceptable('This ZIP file has no index.js at its top level. Add it there.')
  return { code, modules }
}
