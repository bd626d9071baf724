import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { ratings } from '#contract/conversations/ratings.ts'
import { sharing } from '#contract/conversations/sharing.ts'
import { visitorConversations } from '#contract/conversations/visitor-conversations.ts'
import { tags } from '#contract/customers/tags.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { conversationChannels } from './channels.ts'
import { conversationsData } from './customer-data.ts'
import { registerMessagesRoutes } from './message-routes.ts'
import { restoreHistory } from './restoring-history.ts'
import { registerConversationsRoutes, registerCustomerConversationsRoutes } from './routes.ts'
import { registerSharingRoutes } from './sharing-routes.ts'
import { wakeDueConversations } from './snoozing.ts'
import { registerTagsRoutes } from './tag-routes.ts'
import { registerVisitorConversationsRoutes } from './visitor-routes.ts'

export const conversationsFeature = defineFeature({
  name: 'conversations',
  calls: [conversations, messages, ratings, sharing, tags, visitorConversations],
  routes: [
    registerConversationsRoutes,
    registerCustomerConversationsRoutes,
    registerMessagesRoutes,
    registerSharingRoutes,
    registerTagsRoutes,
    registerVisitorConversationsRoutes,
  ],
  channels: conversationChannels,
  schedules: [
    defineSchedule('conversations.restoreHistory', '* * * * *', ({ change }) => restoreHistory(change)),
    defineSchedule('conversations.wakeDue', '* * * * *', async ({ change }) => {
      while ((await change(wakeDueConversations)) > 0);
    }),
  ],
  customerData: conversationsData,
})
