import type { Context } from '../../context.ts'
import { messageOf } from '../../errors.ts'
import { type Proof, UNPROVEN } from '../../features/mail/conversation-mails/sender.ts'
import { findTarget } from '../../features/mail/forwarding-addresses/routing.ts'
import { WorkersBusy } from '../../platform/workers/fair-queue.ts'
import { WorkersStopped } from '../../platform/workers/worker-errors.ts'
import { defineTask } from '../../platform/workers/worker-task.ts'
import type { DeliveredMail, work } from './check-sender-work.ts'

const checkTask = defineTask<typeof work>('mails.checkSender', {
  module: new URL('./check-sender-work.ts', import.meta.url),
  timeoutMs: 10_000,
})

/**
 * Whether the domain in From authenticates the mail. A mail whose check fails or takes too long, for example because a
 * name server is unreachable, has no proof. Takes the turns of the account that it is for.
 * @throws WorkersBusy; WorkersStopped: the mail may come later
 */
export async function checkSender(context: Context, recipient: string, mail: DeliveredMail): Promise<Proof> {
  const account_id = (await findTarget(context, recipient))?.account_id ?? 'unknown'
  try {
    return await checkTask.run(context.workers, { account_id, bytes: mail.raw.length }, mail)
  } catch (error) {
    if (error instanceof WorkersBusy || error instanceof WorkersStopped) throw error
    context.log.info({ problem: messageOf(error), account_id }, 'The sender of a mail could not be checked')
    return UNPROVEN
  }
}
