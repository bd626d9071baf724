import { definePage } from '../../../platform/pages.ts'

export const botDemoPages = [
  definePage({
    path: '/bot/demo',
    alone: true,
    texts: ['bot-demo', 'demo'],
    load: async () => (await import('./BotDemoPage.tsx')).BotDemoPage,
  }),
]
