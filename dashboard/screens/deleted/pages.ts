import { deletedConversationTexts } from '../../features/conversations/deleted-conversations/texts.ts'
import { inboxTexts } from '../../features/widget/inboxes/texts.ts'
import { definePage } from '../../platform/pages.ts'

export const deletedConversationPages = [
  definePage({
    path: '/conversations/deleted',
    texts: [deletedConversationTexts, inboxTexts],
    load: async () => (await import('./DeletedPage.tsx')).DeletedPage,
  }),
]
