import { definePage } from '../../../platform/pages.ts'

export const demoPages = [
  definePage({
    path: '/demo',
    alone: true,
    texts: ['demo', 'widget-settings'],
    load: async () => (await import('./DemoPage.tsx')).DemoPage,
  }),
]
