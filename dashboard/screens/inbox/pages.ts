import { definePage } from '../../platform/pages.ts'

export const inboxPages = [
  definePage({
    path: [
      '/conversations/views/:view_id/:conversation_id?',
      '/conversations/due/overdue/:conversation_id?',
      '/conversations/:bucket/:conversation_id?',
      '/inboxes/:inbox_id/conversations/:conversation_id?',
      '/teams/:team_id/conversations/:conversation_id?',
    ],
    title: 'inbox',
    nav: { icon: 'inbox', path: '/conversations' },
    texts: ['inboxes'],
    load: async () => (await import('./ConversationsPage.tsx')).ConversationsPage,
  }),
]
