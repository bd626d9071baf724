import { definePage } from '../../../platform/pages.ts'

export const browserSessionPages = [
  definePage({
    path: '/sessions/*',
    title: 'live_sessions',
    nav: { group: 'sessions', role: 'admin', unless: 'members_watch_sessions', path: '/sessions/list' },
    needs: 'storytime',
    texts: ['live-sessions'],
    load: async () => (await import('./LiveSessionsPage.tsx')).LiveSessionsPage,
  }),
  definePage({
    path: '/sessions/setup',
    title: 'storytime',
    nav: { group: 'sessions', role: 'admin' },
    needs: 'storytime',
    texts: ['live-sessions', 'accounts'],
    load: async () => (await import('./SetupPage.tsx')).SetupPage,
  }),
]
