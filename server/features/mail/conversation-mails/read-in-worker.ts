import type { Context } from '../../../context.ts'
import { defineTask } from '../../../platform/workers/worker-task.ts'
import type { work as listWork } from './list-recipients-work.ts'
import { HEADER_BYTES } from './mime/limits.ts'
import type { MailReading, Transport } from './read-mail.ts'
import type { work as readWork } from './read-mail-work.ts'

const readTask = defineTask<typeof readWork>('mails.read', {
  module: new URL('./read-mail-work.ts', import.meta.url),
  // Mails of 35 MB take two seconds, and longer beside busy programs.
  timeoutMs: 30_000,
})
const listTask = defineTask<typeof listWork>('mails.listRecipients', {
  module: new URL('./list-recipients-work.ts', import.meta.url),
  timeoutMs: 10_000,
})

/**
 * Reads a mail in a worker process: what a stranger wrote must not keep the server busy.
 * @throws WorkerKilled if the mail takes too long or too much memory; WorkersBusy; WorkersStopped
 */
export function readMailInWorker(
  { workers }: Pick<Context, 'workers'>,
  account_id: string,
  raw: Buffer,
  transport: Transport,
): Promise<MailReading | { unreadable: string }> {
  return readTask.run(workers, { account_id, bytes: raw.length }, { raw, transport })
}

/**
 * The recipients in a mail's headers, for relays that send no envelope. Whose mail it is, is not known yet, so all such
 * mails share the turns of one account.
 * @throws WorkerKilled; WorkersBusy; WorkersStopped
 */
export function listRecipientsInWorker(
  { workers }: Pick<Context, 'workers'>,
  raw: Buffer,
): Promise<string[] | { unreadable: string }> {
  const head = raw.subarray(0, HEADER_BYTES)
  return listTask.run(workers, { account_id: 'unknown', bytes: head.length }, head)
}
