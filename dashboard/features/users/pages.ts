import { definePage } from '../../platform/pages.ts'

export const userPages = [
  definePage({
    path: '/settings/profile',
    title: { en: 'My profile', vi: 'Hồ sơ của tôi' },
    nav: { group: 'settings' },
    load: async () => (await import('./ProfilePage.tsx')).ProfilePage,
  }),
]
