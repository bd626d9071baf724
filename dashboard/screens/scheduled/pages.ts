import { definePage } from '../../platform/pages.ts'
import { withTexts } from '../../platform/texts.ts'

export const scheduledPages = [
  definePage({
    path: '/conversations/scheduled',
    texts: ['inboxes'],
    load: withTexts(['scheduled-messages'], async () => (await import('./ScheduledPage.tsx')).ScheduledPage),
  }),
]
