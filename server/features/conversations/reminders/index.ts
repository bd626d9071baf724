import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { remindEverybody } from './reminders.ts'

export const remindersFeature = defineFeature({
  name: 'reminders',
  schedules: [defineSchedule('reminders.send', '*/30 * * * *', (context) => remindEverybody(context, new Date()))],
})
