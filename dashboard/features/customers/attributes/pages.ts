import { definePage } from '../../../platform/pages.ts'

export const attributePages = [
  definePage({
    path: '/settings/attributes',
    title: 'attributes',
    nav: { group: 'settings', role: 'admin' },
    texts: ['attribute-definitions'],
    load: async () => (await import('./AttributesPage.tsx')).AttributesPage,
  }),
]
