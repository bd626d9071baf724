import { scheduledMessages } from '#contract/conversations/scheduled-messages.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { registerScheduledMessagesRoutes } from './routes.ts'
import { sendScheduled } from './send-job.ts'
import { sendAllDue } from './sending.ts'

export const scheduledMessagesFeature = defineFeature({
  name: 'scheduled-messages',
  calls: [scheduledMessages],
  routes: [registerScheduledMessagesRoutes],
  jobs: [sendScheduled],
  schedules: [defineSchedule('scheduledMessages.sendDue', '* * * * *', sendAllDue)],
})
