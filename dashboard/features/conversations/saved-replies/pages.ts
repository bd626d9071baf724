import { definePage } from '../../../platform/pages.ts'

export const savedReplyPages = [
  definePage({
    path: '/settings/saved-replies',
    title: { en: 'Saved replies', vi: 'Câu trả lời mẫu' },
    nav: { group: 'settings' },

    load: async () => (await import('./SavedRepliesPage.tsx')).SavedRepliesPage,
  }),
]
