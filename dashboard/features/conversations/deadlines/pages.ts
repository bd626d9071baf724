import { definePage } from '../../../platform/pages.ts'

export const deadlinePages = [
  definePage({
    path: '/settings/deadlines',
    title: 'deadlines',
    nav: { group: 'settings', role: 'admin' },
    texts: ['deadline-policies'],
    load: async () => (await import('./DeadlinesPage.tsx')).DeadlinesPage,
  }),
]
