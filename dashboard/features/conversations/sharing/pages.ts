import { definePage } from '../../../platform/pages.ts'

export const sharingPages = [
  definePage({
    path: '/share',
    alone: true,
    texts: ['sharing', 'messages'],
    load: async () => (await import('./SharedConversationPage.tsx')).SharedConversationPage,
  }),
]
