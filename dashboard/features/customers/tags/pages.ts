import { definePage } from '../../../platform/pages.ts'

export const tagPages = [
  definePage({
    path: '/tags',
    title: 'tags',
    nav: { group: 'customers' },
    load: async () => (await import('./TagsPage.tsx')).TagsPage,
  }),
]
