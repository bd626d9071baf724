import { definePage } from '../../../platform/pages.ts'

export const movingInPages = [
  definePage({
    path: '/settings/moving-in',
    title: 'moving_in',
    nav: { group: 'settings', role: 'admin' },
    texts: ['moving-in'],
    load: async () => (await import('./MovingInPage.tsx')).MovingInPage,
  }),
]
