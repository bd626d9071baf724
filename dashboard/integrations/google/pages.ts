import { authorizationTexts } from '../../features/connections/authorizations/texts.ts'
import { integrationTexts } from '../../features/connections/integrations/texts.ts'
import { oauthTexts } from '../../features/connections/oauth/texts.ts'
import { definePage } from '../../platform/pages.ts'
import { googleTexts } from './texts.ts'

export const googlePages = [
  definePage({
    path: ['/integrations/google/gmail', '/inboxes/:inbox_id/integrations/google/gmail'],
    title: { en: 'Gmail', vi: 'Gmail' },
    texts: [authorizationTexts, googleTexts, integrationTexts, oauthTexts],
    load: async () => (await import('./GmailPage.tsx')).GmailPage,
  }),
  definePage({
    path: '/integrations/google/sheets',
    title: { en: 'Google Sheets', vi: 'Google Sheets' },
    texts: [authorizationTexts, googleTexts, integrationTexts, oauthTexts],
    load: async () => (await import('./SheetsPage.tsx')).SheetsPage,
  }),
]
