import { definePage } from '../../platform/pages.ts'
import { integrationTexts } from '../integrations/texts.ts'
import { healthTexts } from './texts.ts'

export const healthPages = [
  definePage({
    path: '/settings/health',
    title: { en: 'Health', vi: 'Tình trạng' },
    nav: { group: 'settings', role: 'admin' },
    texts: [healthTexts, integrationTexts],
    load: async () => (await import('./HealthPage.tsx')).HealthPage,
  }),
]
