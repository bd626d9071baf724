import { definePage } from '../../platform/pages.ts'

export const botDemoPages = [
  definePage({ path: '/bot/demo', alone: true, load: async () => (await import('./BotDemoPage.tsx')).BotDemoPage }),
]
