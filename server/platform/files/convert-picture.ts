import { WorkerKilled } from '../workers/worker-errors.ts'
import { defineTask } from '../workers/worker-task.ts'
import { Workers } from '../workers/workers.ts'
import type { PictureInput, PictureKind, work } from './picture-work.ts'

const convertTask = defineTask<typeof work>('pictures.convert', {
  module: new URL('./picture-work.ts', import.meta.url),
  // Longer than any picture within its own limits, even if other programs leave little processor time.
  timeoutMs: 60_000,
})

/**
 * The process for pictures: apart from the other workers, because decoding libraries are native code, which a crafted
 * picture might take over. One at a time, at a low priority: many pictures must not slow down anything else. At the
 * lowest priority, 19, it would never run beside a busy program.
 */
export function createPictureWorkers(): Workers {
  return new Workers({ processes: 1, perAccount: 1, priority: 15 })
}

/**
 * The converted picture; undefined if the bytes are no valid picture, or break the library.
 * @throws WorkersBusy; WorkersStopped
 */
export async function convertPicture(
  pictures: Workers,
  account_id: string,
  kind: PictureKind,
  bytes: Buffer,
  options: Pick<PictureInput, 'content_type' | 'ground'> = {},
): Promise<Buffer | undefined> {
  try {
    return await convertTask.run(pictures, { account_id, bytes: bytes.length }, { kind, bytes, ...options })
  } catch (error) {
    if (error instanceof WorkerKilled) return undefined
    throw error
  }
}
