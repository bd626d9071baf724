import { definePage } from '../../platform/pages.ts'

export const oneIssuePages = [
  definePage({
    path: '/issues/:id',

    load: async () => (await import('./IssuePage.tsx')).IssuePage,
  }),
]
