import { definePage } from '../../../platform/pages.ts'

export const inboxSettingsPages = [
  definePage({
    path: '/inboxes',
    title: 'inboxes',
    nav: { group: 'settings', role: 'admin' },
    texts: ['inboxes'],
    load: async () => (await import('./InboxesPage.tsx')).InboxesPage,
  }),
  definePage({
    path: '/inboxes/:inbox_id',
    texts: ['inboxes', 'authorizations', 'working-hours', 'first-answers'],
    load: async () => (await import('./InboxPage.tsx')).InboxPage,
  }),
]
