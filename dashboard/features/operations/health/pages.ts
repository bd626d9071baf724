import { definePage } from '../../../platform/pages.ts'

export const healthPages = [
  definePage({
    path: '/settings/health',
    title: 'health',
    nav: { group: 'settings', role: 'admin' },
    texts: ['health', 'authorizations', 'integrations'],
    load: async () => (await import('./HealthPage.tsx')).HealthPage,
  }),
]
