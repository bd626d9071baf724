import { authorizationTexts } from '../../features/connections/authorizations/texts.ts'
import { integrationTexts } from '../../features/connections/integrations/texts.ts'
import { oauthTexts } from '../../features/connections/oauth/texts.ts'
import { definePage } from '../../platform/pages.ts'
import { slackTexts } from './texts.ts'

export const slackPages = [
  definePage({
    path: ['/integrations/slack/reply', '/inboxes/:inbox_id/integrations/slack/reply'],
    title: { en: 'Reply from Slack', vi: 'Trả lời từ Slack' },
    texts: [authorizationTexts, integrationTexts, oauthTexts, slackTexts],
    load: async () => (await import('./SlackReplyPage.tsx')).SlackReplyPage,
  }),
  definePage({
    path: ['/integrations/slack/support', '/inboxes/:inbox_id/integrations/slack/support'],
    title: { en: 'Support through Slack', vi: 'Hỗ trợ qua Slack' },
    texts: [authorizationTexts, integrationTexts, oauthTexts, slackTexts],
    load: async () => (await import('./SlackSupportPage.tsx')).SlackSupportPage,
  }),
]
