import { definePage } from '../../platform/pages.ts'

export const deletedConversationPages = [
  definePage({
    path: '/conversations/deleted',
    texts: ['deleted-conversations', 'inboxes'],
    load: async () => (await import('./DeletedPage.tsx')).DeletedPage,
  }),
]
