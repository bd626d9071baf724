import { definePage } from '../../platform/pages.ts'

export const googlePages = [
  definePage({
    path: ['/integrations/google/gmail', '/inboxes/:inbox_id/integrations/google/gmail'],
    title: 'gmail',
    texts: ['authorizations', 'google', 'integrations', 'oauth'],
    load: async () => (await import('./GmailPage.tsx')).GmailPage,
  }),
  definePage({
    path: '/integrations/google/sheets',
    title: 'google_sheets',
    texts: ['authorizations', 'google', 'integrations', 'oauth'],
    load: async () => (await import('./SheetsPage.tsx')).SheetsPage,
  }),
]
