import { definePage } from '../../../platform/pages.ts'
import { accountTexts } from '../../accounts/accounts/texts.ts'
import { browserSessionTexts } from './texts.ts'

export const browserSessionPages = [
  definePage({
    path: '/sessions/*',
    title: { en: 'Live sessions', vi: 'Phiên trực tiếp' },
    nav: { group: 'sessions', role: 'admin', unless: 'members_watch_sessions', path: '/sessions/list' },
    needs: 'storytime',
    texts: [browserSessionTexts],
    load: async () => (await import('./LiveSessionsPage.tsx')).LiveSessionsPage,
  }),
  definePage({
    path: '/sessions/setup',
    title: { en: 'Set up Storytime', vi: 'Cài đặt Storytime' },
    nav: { group: 'sessions', role: 'admin' },
    needs: 'storytime',
    texts: [browserSessionTexts, accountTexts],
    load: async () => (await import('./SetupPage.tsx')).SetupPage,
  }),
]
