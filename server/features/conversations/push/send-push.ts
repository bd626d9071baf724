import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { PushPayload } from '#contract/conversations/push.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { type Delivery, deliver, TTL_SECONDS } from './deliver.ts'
import { findRecipient, type Recipient, recordOutcome } from './devices.ts'
import { writePayload } from './payload.ts'

/** Most failures of push services pass at once. */
const SECOND_TRY_MS = 250

/**
 * Sends a notification to one device. May run twice, and the push service may repeat it: the device shows each id once.
 * Its tries end with the time to live, not with a dead job: nobody has to do anything about an old notification.
 */
export const sendPush = defineJob('push.send', {
  schema: z.object({
    account_id: z.string(),
    user_id: z.int(),
    device_id: z.string(),
    notification_id: z.string(),
  }),
  tries: 40,
  backoff: { first: 1, longest: 600 },
  timeout: 60,
  run: send,
})

interface Sending {
  account_id: string
  user_id: number
  device_id: string
  notification_id: string
}

/** @throws Error if it should be tried again */
async function send(context: Context, sending: Sending): Promise<void> {
  const { account_id, device_id, notification_id } = sending
  const { db, jobs, change } = context
  const recipient = await findRecipient(context, account_id, device_id)
  if (!recipient || (await isTooOld(db, account_id, notification_id))) return
  const payload = await writePayload(context, recipient, notification_id)
  if (!payload) return
  const delivery = await deliverPatiently(context, recipient, payload)
  await recordDelivery(db, recipient, delivery)
  if (delivery.kind !== 'later') return
  const { seconds, problem } = delivery
  if (seconds === undefined) throw new Error(problem)
  const not_before = new Date(Date.now() + seconds * 1_000)
  await change((tx) => jobs.enqueue(tx.db, sendPush, sending, { not_before }))
}

/** Sends once more at once after a passing failure, and without its text what is too large. */
async function deliverPatiently(context: Context, recipient: Recipient, payload: PushPayload): Promise<Delivery> {
  const delivery = await deliver(context, recipient, payload)
  if (delivery.kind === 'too large') return deliver(context, recipient, withoutDetails(payload))
  if (delivery.kind !== 'later' || delivery.seconds !== undefined) return delivery
  await sleep(SECOND_TRY_MS)
  return deliver(context, recipient, payload)
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
