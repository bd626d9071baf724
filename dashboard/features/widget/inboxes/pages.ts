import { definePage } from '../../../platform/pages.ts'
import { authorizationTexts } from '../../connections/authorizations/texts.ts'
import { inboxTexts } from './texts.ts'

export const inboxSettingsPages = [
  definePage({
    path: '/inboxes',
    title: { en: 'Inboxes', vi: 'Hộp thư' },
    nav: { group: 'settings', role: 'admin' },
    texts: [inboxTexts],
    load: async () => (await import('./InboxesPage.tsx')).InboxesPage,
  }),
  definePage({
    path: '/inboxes/:inbox_id',
    texts: [inboxTexts, authorizationTexts],
    load: async () => (await import('./InboxPage.tsx')).InboxPage,
  }),
]
