import { definePage } from '../../../platform/pages.ts'
import { accountTexts } from '../../accounts/accounts/texts.ts'
import { eventSubscriptionTexts } from './texts.ts'

export const eventSubscriptionPages = [
  definePage({
    path: '/developers/event-subscriptions',
    title: { en: 'Event subscriptions', vi: 'Đăng ký sự kiện' },
    nav: { group: 'developers', role: 'admin' },
    texts: [eventSubscriptionTexts],
    load: async () => (await import('./WebhooksPage.tsx')).WebhooksPage,
  }),
  definePage({
    path: '/developers/event-subscriptions/:id',
    title: { en: 'Webhook', vi: 'Webhook' },
    texts: [eventSubscriptionTexts, accountTexts],
    load: async () => (await import('./WebhookPage.tsx')).WebhookPage,
  }),
]
