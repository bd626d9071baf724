import { definePage } from '../../../platform/pages.ts'

export const eventSubscriptionPages = [
  definePage({
    path: '/developers/event-subscriptions',
    title: 'webhooks',
    nav: { group: 'developers', role: 'admin' },
    texts: ['webhooks'],
    load: async () => (await import('./WebhooksPage.tsx')).WebhooksPage,
  }),
  definePage({
    path: '/developers/event-subscriptions/:id',
    title: 'webhook',
    texts: ['webhooks', 'accounts'],
    load: async () => (await import('./WebhookPage.tsx')).WebhookPage,
  }),
]
