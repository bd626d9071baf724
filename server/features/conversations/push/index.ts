import { push } from '#contract/conversations/push.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { pruneAlerts } from './alerts.ts'
import { pushSubscriptions } from './devices.ts'
import { followEvents } from './follow-events.ts'
import { loadPushKeys, pushKeysColumn } from './keys.ts'
import { mailUnanswered } from './mail-unanswered.ts'
import { notifyUser } from './notify-user.ts'
import { registerPushRoutes } from './routes.ts'
import { sendPush } from './send-push.ts'

export const pushFeature = defineFeature({
  name: 'push',
  calls: [push],
  routes: [registerPushRoutes],
  jobs: [notifyUser, sendPush, mailUnanswered],
  schedules: [defineSchedule('push.pruneAlerts', '37 * * * *', ({ db }) => pruneAlerts(db))],
  consumers: [followEvents],
  encryptedColumns: [pushKeysColumn, pushSubscriptions],
  // The keys exist from the first start on, and so in every backup.
  start: (context) =>
    void loadPushKeys(context).catch((error) => context.log.warn({ err: error }, 'Keys for push were not made')),
})
