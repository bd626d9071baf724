import { definePage } from '../../platform/pages.ts'

export const demoPages = [
  definePage({ path: '/demo', alone: true, load: async () => (await import('./DemoPage.tsx')).DemoPage }),
]
