import { definePage } from '../../../platform/pages.ts'
import { messageTexts } from '../messages/texts.ts'
import { sharingTexts } from './texts.ts'

export const sharingPages = [
  definePage({
    path: '/share',
    alone: true,
    texts: [sharingTexts, messageTexts],
    load: async () => (await import('./SharedConversationPage.tsx')).SharedConversationPage,
  }),
]
