import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { PushPayload } from '#contract/conversations/push.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { type Delivery, deliverPush, TTL_SECONDS } from './deliver.ts'
import { findRecipient, type Recipient, recordOutcome } from './devices.ts'
import { writePayload } from './payload.ts'

/** Seconds until the second try, doubled with each further one up to the longest. */
const FIRST_PAUSE = 0.5
const LONGEST_PAUSE = 600

/**
 * Sends a notification to one device. May run twice, and the push service may repeat it: the device shows each id once.
 * After a failure it enqueues itself again until the time to live is over, so it never becomes a dead job: nobody has to
 * do anything about an old notification.
 */
export const sendPush = defineJob('push.send', {
  schema: z.object({
    account_id: z.string(),
    user_id: z.int(),
    device_id: z.string(),
    notification_id: z.string(),
    /** How often it was tried before. */
    tries: z.int(),
  }),
  // The jobs of a server that died are tried again after this time.
  timeout: 30,
  run: send,
})

interface Sending {
  account_id: string
  user_id: number
  device_id: string
  notification_id: string
  tries: number
}

async function send(context: Context, sending: Sending): Promise<void> {
  const { account_id, device_id, notification_id } = sending
  const { db, jobs, change } = context
  const [recipient, isExpired] = await Promise.all([
    findRecipient(context, account_id, device_id),
    isTooOld(db, account_id, notification_id),
  ])
  if (!recipient || isExpired) return
  const payload = await writePayload(context, recipient, notification_id)
  if (!payload) return
  const delivery = await deliverOrShorten(context, recipient, payload)
  await recordDelivery(db, recipient, delivery)
  if (delivery.kind !== 'later') return
  const { tries } = sending
  const seconds = delivery.seconds ?? Math.min(FIRST_PAUSE * 2 ** tries, LONGEST_PAUSE)
  const not_before = new Date(Date.now() + seconds * 1_000)
  await change((tx) => jobs.enqueue(tx.db, sendPush, { ...sending, tries: tries + 1 }, { not_before }))
}

/** Sends without its text what is too large. */
async function deliverOrShorten(context: Context, recipient: Recipient, payload: PushPayload): Promise<Delivery> {
  const delivery = await deliverPush(context, recipient, payload)
  return delivery.kind === 'too large' ? deliverPush(context, recipient, withoutDetails(payload)) : delivery
}

function withoutDetails({ notification, ...payload }: PushPayload): PushPayload {
  return { ...payload, notification: { ...notification, body: '', data: { ...notification.data, waiting: null } } }
}

/** Records what became of a push, for the user's list of devices and for the health page. */
export async function recordDelivery(db: Db, recipient: Recipient, delivery: Delivery): Promise<void> {
  if (delivery.kind === 'unsubscribed') return recordOutcome(db, recipient, 'unsubscribed')
  await recordOutcome(db, recipient, { problem: delivery.kind === 'accepted' ? null : delivery.problem })
}

/** Whether a notification is older than the time for which it is worth anything. */
async function isTooOld(db: Db, account_id: string, notification_id: string): Promise<boolean> {
  const row = await ofAccount(db, account_id)
    .selectFrom('push_alerts')
    .select('id')
    .where('notification_id', '=', notification_id)
    .where('due_at', '>', sql<string>`clock_timestamp() - make_interval(secs => ${TTL_SECONDS})`)
    .limit(1)
    .executeTakeFirst()
  return !row
}
