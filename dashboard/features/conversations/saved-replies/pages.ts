import { definePage } from '../../../platform/pages.ts'

export const savedReplyPages = [
  definePage({
    path: '/settings/saved-replies',
    title: 'saved_replies',
    nav: { group: 'settings' },
    load: async () => (await import('./SavedRepliesPage.tsx')).SavedRepliesPage,
  }),
]
