import { notifications } from '#contract/conversations/notifications.ts'
import { defineFeature } from '../../../feature.ts'
import { alertTeam } from './alert-team.ts'
import { followDeadlines, mailDeadline } from './deadline-mail.ts'
import { followMessages } from './enqueue-notifications.ts'
import { mailMention } from './mention-mail.ts'
import { mailReply } from './reply-mail.ts'
import { registerNotificationsRoutes } from './routes.ts'

export const notificationsFeature = defineFeature({
  name: 'notifications',
  calls: [notifications],
  routes: [registerNotificationsRoutes],
  jobs: [alertTeam, mailMention, mailDeadline, mailReply],
  consumers: [followMessages, followDeadlines],
})
