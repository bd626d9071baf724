import { definePage } from '../../platform/pages.ts'

export const testConversationPages = [
  definePage({
    path: '/conversations/tests',
    texts: ['test-conversations', 'inboxes'],
    load: async () => (await import('./TestChatsPage.tsx')).TestChatsPage,
  }),
]
