import { inboundMail } from '#contract/integrations/inbound-mail.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import { listRecipientsInWorker } from '../../features/mail/conversation-mails/read-in-worker.ts'
import { filterOwn, storeMail } from '../../features/mail/forwarding-addresses/routing.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { WorkerKilled } from '../../platform/workers/worker-errors.ts'
import { type RelayedMail, readRelayed } from './relay-formats.ts'
import { readFromBucket, readSes } from './ses.ts'
import { confirmSubscription, isSns, readSns, type SnsMessage } from './sns.ts'

export function registerInboundMailRoutes(routes: Routes, context: Context) {
  routes.route(inboundMail.take, async ({ request, query }) => {
    const { headers, rawBody = Buffer.alloc(0) } = request
    await (isSns(headers)
      ? receiveSns(context, readSns(rawBody))
      : receiveRelayed(context, await readRelayed(headers, rawBody, query)))
    return { ok: true }
  })
  routes.route(inboundMail.takeFromBucket, async ({ body }) => {
    const { message_id, from_address, to_addresses = [], forwarded_to } = body
    const [from] = [from_address].flat()
    const recipients = [forwarded_to, to_addresses]
      .flat()
      .filter((recipient) => recipient !== undefined && recipient !== null)
    const raw = await readFromBucket(context, message_id)
    await receiveRelayed(context, { raw, recipients, ...(from && { from }) })
    return { ok: true }
  })
}

async function receiveSns(context: Context, message: SnsMessage): Promise<void> {
  if (message.Type === 'SubscriptionConfirmation') return confirmSubscription(context, message)
  // A cancelled subscription needs no action.
  if (message.Type === 'Notification') await receiveRelayed(context, await readSes(context, message.Message))
}

async function receiveRelayed(context: Context, relayed: RelayedMail): Promise<void> {
  const recipients = await recipientsOf(context, relayed)
  // Relays treat 406 as final, and retry after any other error.
  if (recipients.length === 0) throw new Refusal(406, 'No recipient of this mail is an address of this installation.')
  await storeMail(context, { ...relayed, recipients })
}

/** The recipients of the envelope or, if the relay sends none, of the headers. */
async function recipientsOf(context: Context, { raw, recipients }: RelayedMail): Promise<string[]> {
  const named = await filterOwn(context, recipients)
  if (named.length > 0) return named
  const listed = await listRecipientsInWorker(context, raw).catch((error: unknown) => {
    // The relay would send it again and again.
    if (error instanceof WorkerKilled) return { unreadable: error.message }
    throw error
  })
  if ('unreadable' in listed) throw new Refusal(406, listed.unreadable)
  return filterOwn(context, listed)
}
