import { inboxTexts } from '../../features/widget/inboxes/texts.ts'
import { definePage } from '../../platform/pages.ts'

export const inboxPages = [
  definePage({
    path: ['/conversations/:bucket/:conversation_id?', '/inboxes/:inbox_id/conversations/:conversation_id?'],
    title: { en: 'Inbox', vi: 'Hộp thư' },
    nav: { icon: 'inbox', path: '/conversations' },
    texts: [inboxTexts],
    load: async () => (await import('./ConversationsPage.tsx')).ConversationsPage,
  }),
]
