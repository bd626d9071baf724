import { definePage } from '../../../platform/pages.ts'
import { authorizationTexts } from '../../connections/authorizations/texts.ts'
import { integrationTexts } from '../../connections/integrations/texts.ts'
import { healthTexts } from './texts.ts'

export const healthPages = [
  definePage({
    path: '/settings/health',
    title: { en: 'Health', vi: 'Tình trạng' },
    nav: { group: 'settings', role: 'admin' },
    texts: [healthTexts, authorizationTexts, integrationTexts],
    load: async () => (await import('./HealthPage.tsx')).HealthPage,
  }),
]
