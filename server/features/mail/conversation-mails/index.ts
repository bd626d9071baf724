import { conversationForwarding } from '#contract/mail/conversation-forwarding.ts'
import { messageMails } from '#contract/mail/message-mails.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { mailOriginalsData, pruneOriginals } from './originals.ts'
import { registerMessageMailsRoutes } from './routes.ts'

export const conversationMailsFeature = defineFeature({
  name: 'conversation-mails',
  calls: [conversationForwarding, messageMails],
  routes: [registerMessageMailsRoutes],
  schedules: [defineSchedule('conversation-mails.pruneOriginals', '11 4 * * *', pruneOriginals)],
  customerData: [mailOriginalsData],
})
