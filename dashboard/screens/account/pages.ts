import { definePage } from '../../platform/pages.ts'

export const accountPages = [
  definePage({
    path: '/settings/*',
    title: 'account',
    nav: { group: 'settings', role: 'admin', path: '/settings/account' },
    texts: ['accounts', 'audit', 'working-hours', 'mails'],
    load: async () => (await import('./AccountPage.tsx')).AccountPage,
  }),
]
