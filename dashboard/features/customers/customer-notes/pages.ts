import { definePage } from '../../../platform/pages.ts'

export const notePages = [
  definePage({
    path: '/notes',
    title: 'notes',
    nav: { group: 'customers' },
    load: async () => (await import('./NotesPage.tsx')).NotesPage,
  }),
]
