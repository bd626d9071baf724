import { definePage } from '../../platform/pages.ts'

export const teamPages = [
  definePage({
    path: '/settings/team',
    title: { en: 'My team', vi: 'Nhóm của tôi' },
    nav: { group: 'settings', role: 'admin' },
    load: async () => (await import('./TeamPage.tsx')).TeamPage,
  }),
]
