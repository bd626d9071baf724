import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { ratings } from '#contract/conversations/ratings.ts'
import { sharing } from '#contract/conversations/sharing.ts'
import { tags } from '#contract/customers/tags.ts'
import { visitorConversations } from '#contract/conversations/visitor-conversations.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { conversationChannels } from './channels.ts'
import { conversationsData } from './customer-data.ts'
import { openMessages } from './message-routes.ts'
import { restoreHistory } from './restoring-history.ts'
import { openConversations, openCustomerConversations } from './routes.ts'
import { openSharing } from './sharing-routes.ts'
import { wakeDueConversations } from './snoozing.ts'
import { openTags } from './tag-routes.ts'
import { openVisitorConversations } from './visitor-routes.ts'

export const conversationsFeature = defineFeature({
  name: 'conversations',
  calls: [conversations, messages, ratings, sharing, tags, visitorConversations],
  routes: [openConversations, openCustomerConversations, openMessages, openSharing, openTags, openVisitorConversations],
  channels: conversationChannels,
  schedules: [
    defineSchedule('conversations.restoreHistory', '* * * * *', ({ change }) => restoreHistory(change)),
    defineSchedule('conversations.wakeDue', '* * * * *', async ({ change }) => {
      while ((await change(wakeDueConversations)) > 0);
    }),
  ],
  customerData: conversationsData,
})
