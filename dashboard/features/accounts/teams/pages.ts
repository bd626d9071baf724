import { definePage } from '../../../platform/pages.ts'

export const teamsPages = [
  definePage({
    path: '/settings/teams',
    title: 'teams',
    nav: { group: 'settings', role: 'admin' },
    texts: ['teams'],
    load: async () => (await import('./TeamsPage.tsx')).TeamsPage,
  }),
]
