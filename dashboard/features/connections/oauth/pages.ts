import { definePage } from '../../../platform/pages.ts'
import { oauthTexts } from './texts.ts'

export const oauthPages = [
  definePage({
    path: ['/integrations/:type', '/inboxes/:inbox_id/integrations/google', '/inboxes/:inbox_id/integrations/slack'],
    title: { en: 'Integrations', vi: 'Tích hợp' },
    texts: [oauthTexts],
    load: async () => (await import('./OAuthReturnPage.tsx')).OAuthReturnPage,
  }),
]
