import { definePage } from '../../../platform/pages.ts'
import { notificationTexts } from './texts.ts'

export const notificationPages = [
  definePage({
    path: '/unsubscribe',
    alone: true,
    texts: [notificationTexts],
    load: async () => (await import('./UnsubscribePage.tsx')).UnsubscribePage,
  }),
]
