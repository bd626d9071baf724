import { definePage } from '../../platform/pages.ts'

export const oneSessionPages = [
  definePage({
    path: '/sessions/live/:session',
    title: 'live_session',
    needs: 'storytime',
    texts: ['live-sessions'],
    load: async () => (await import('./LivePage.tsx')).LivePage,
  }),
]
