import { defineFeature } from '../../feature.ts'
import { defineSchedule } from '../../platform/jobs/job.ts'
import { mailOriginalsData, pruneOriginals } from './originals.ts'

export const conversationMailsFeature = defineFeature({
  name: 'conversation-mails',
  schedules: [defineSchedule('conversation-mails.pruneOriginals', '11 4 * * *', pruneOriginals)],
  customerData: [mailOriginalsData],
})
