import * as z from 'zod/mini'
import type { Context } from '../../../context.ts'
import type { Change } from '../../../platform/db/change.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { newId } from '../../../platform/secrets.ts'
import { assignNotification, lockWaiting, postpone } from './alerts.ts'
import { listDeviceIds } from './devices.ts'
import { mailUnanswered } from './mail-unanswered.ts'
import { sendPush } from './send-push.ts'
import { quietUntil, readPushSettings } from './settings.ts'

/** Of more conversations at once, a person gets one notification. */
const MANY = 3

/** Makes notifications of what a user is to be notified about and what has waited long enough. */
export const notifyUser = defineJob('push.notifyUser', {
  schema: z.object({ account_id: z.string(), user_id: z.int() }),
  async run(context: Context, { account_id, user_id }) {
    await context.change((tx) => makeNotifications(context, tx, account_id, user_id))
    context.jobs.wake(sendPush)
  },
})

/** Runs for each alert that is due. One run takes all of them, so the others find nothing. */
async function makeNotifications(
  { jobs }: Context,
  { db }: Change,
  account_id: string,
  user_id: number,
): Promise<void> {
  const waiting = await lockWaiting(db, account_id, user_id)
  const due = waiting.filter(({ is_due }) => is_due)
  if (due.length === 0) return
  const settings = await readPushSettings(db, account_id, user_id)
  const quiet_until = quietUntil(settings, new Date())
  if (quiet_until) {
    await postpone(db, account_id, user_id, quiet_until)
    return jobs.enqueue(db, notifyUser, { account_id, user_id }, { not_before: quiet_until })
  }
  const notifications =
    waiting.length > MANY ? [{ id: newId(), alerts: waiting }] : due.map((alert) => ({ id: alert.id, alerts: [alert] }))
  for (const { id, alerts } of notifications) {
    await assignNotification(
      db,
      account_id,
      alerts.map((alert) => alert.id),
      id,
    )
  }
  const device_ids = await listDeviceIds(db, account_id, user_id)
  await jobs.enqueueAll(
    db,
    sendPush,
    notifications.flatMap(({ id: notification_id }) =>
      device_ids.map((device_id) => ({ payload: { account_id, user_id, device_id, notification_id, tries: 0 } })),
    ),
  )
  if (settings.mail_after_minutes === null) return
  const not_before = new Date(Date.now() + settings.mail_after_minutes * 60_000)
  await jobs.enqueueAll(
    db,
    mailUnanswered,
    notifications
      .flatMap(({ alerts }) => alerts)
      .filter(({ kind }) => kind === 'message')
      .map(({ id: alert_id }) => ({ payload: { account_id, user_id, alert_id }, not_before })),
  )
}
