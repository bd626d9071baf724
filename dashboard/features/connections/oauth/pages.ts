import { definePage } from '../../../platform/pages.ts'

export const oauthPages = [
  definePage({
    path: ['/integrations/:type', '/inboxes/:inbox_id/integrations/google', '/inboxes/:inbox_id/integrations/slack'],
    title: 'integrations',
    texts: ['oauth'],
    load: async () => (await import('./OAuthReturnPage.tsx')).OAuthReturnPage,
  }),
]
