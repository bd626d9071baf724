import { definePage } from '../../../platform/pages.ts'

export const reportingPages = [
  definePage({
    path: '/reporting',
    title: 'reporting',
    nav: { icon: 'chart' },
    texts: ['reporting', 'first-answers'],
    load: async () => (await import('./ReportingPage.tsx')).ReportingPage,
  }),
]
