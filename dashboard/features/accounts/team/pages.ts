import { definePage } from '../../../platform/pages.ts'

export const teamPages = [
  definePage({
    path: '/settings/team',
    title: 'team',
    nav: { group: 'settings', role: 'admin' },
    texts: ['team', 'accounts'],
    load: async () => (await import('./TeamPage.tsx')).TeamPage,
  }),
]
