import { definePage } from '../../platform/pages.ts'

export const inboxSettingsPages = [
  definePage({
    path: '/inboxes',
    title: { en: 'Inboxes', vi: 'Hộp thư' },
    nav: { group: 'settings', role: 'admin' },
    load: async () => (await import('./InboxesPage.tsx')).InboxesPage,
  }),
  definePage({ path: '/inboxes/:inbox_id', load: async () => (await import('./InboxPage.tsx')).InboxPage }),
]
