import { browserSessionTexts } from '../../features/widget/live-sessions/texts.ts'
import { definePage } from '../../platform/pages.ts'

export const oneSessionPages = [
  definePage({
    path: '/sessions/live/:session',
    title: { en: 'Live session', vi: 'Phiên trực tiếp' },
    needs: 'storytime',
    texts: [browserSessionTexts],
    load: async () => (await import('./LivePage.tsx')).LivePage,
  }),
]
