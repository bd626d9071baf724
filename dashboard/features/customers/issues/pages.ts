import { definePage } from '../../../platform/pages.ts'

export const issuePages = [
  definePage({
    path: '/issues',
    title: 'issues',
    nav: { group: 'customers' },
    load: async () => (await import('./IssuesPage.tsx')).IssuesPage,
  }),
]
