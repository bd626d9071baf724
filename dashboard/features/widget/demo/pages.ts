import { definePage } from '../../../platform/pages.ts'
import { widgetSettingsTexts } from '../widget-settings/texts.ts'
import { demoTexts } from './texts.ts'

export const demoPages = [
  definePage({
    path: '/demo',
    alone: true,
    texts: [demoTexts, widgetSettingsTexts],
    load: async () => (await import('./DemoPage.tsx')).DemoPage,
  }),
]
