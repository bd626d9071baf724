import { definePage } from '../../platform/pages.ts'

export const accountPages = [
  definePage({
    path: '/settings/*',
    title: { en: 'Account', vi: 'Tài khoản' },
    nav: { group: 'settings', role: 'admin', path: '/settings/account' },
    load: async () => (await import('./AccountPage.tsx')).AccountPage,
  }),
]
