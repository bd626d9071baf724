import { definePage } from '../../../platform/pages.ts'
import { demoTexts } from '../demo/texts.ts'
import { botDemoTexts } from './texts.ts'

export const botDemoPages = [
  definePage({
    path: '/bot/demo',
    alone: true,
    texts: [botDemoTexts, demoTexts],
    load: async () => (await import('./BotDemoPage.tsx')).BotDemoPage,
  }),
]
