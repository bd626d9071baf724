import { definePage } from '../../../platform/pages.ts'

export const notificationPages = [
  definePage({
    path: '/unsubscribe',
    alone: true,
    texts: ['notifications'],
    load: async () => (await import('./UnsubscribePage.tsx')).UnsubscribePage,
  }),
]
