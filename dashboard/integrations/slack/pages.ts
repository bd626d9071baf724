import { definePage } from '../../platform/pages.ts'

export const slackPages = [
  definePage({
    path: ['/integrations/slack/reply', '/inboxes/:inbox_id/integrations/slack/reply'],
    title: 'slack_reply',
    texts: ['authorizations', 'integrations', 'oauth', 'slack'],
    load: async () => (await import('./SlackReplyPage.tsx')).SlackReplyPage,
  }),
  definePage({
    path: ['/integrations/slack/support', '/inboxes/:inbox_id/integrations/slack/support'],
    title: 'slack_support',
    texts: ['authorizations', 'integrations', 'oauth', 'slack'],
    load: async () => (await import('./SlackSupportPage.tsx')).SlackSupportPage,
  }),
]
