import { definePage } from '../../platform/pages.ts'

export const oneTagPages = [
  definePage({
    path: '/tags/:id',

    load: async () => (await import('./TagPage.tsx')).TagPage,
  }),
]
