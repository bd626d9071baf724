import { definePage } from '../../../platform/pages.ts'

export const userPages = [
  definePage({
    path: '/settings/profile',
    title: 'profile',
    nav: { group: 'settings' },
    texts: ['users', 'accounts', 'auth-sessions', 'oauth', 'scheduled-messages', 'push', 'install'],
    load: async () => (await import('./ProfilePage.tsx')).ProfilePage,
  }),
]
