import { definePage } from '../../../platform/pages.ts'
import { reportingTexts } from './texts.ts'

export const reportingPages = [
  definePage({
    path: '/reporting',
    title: { en: 'Reporting', vi: 'Báo cáo' },
    nav: { icon: 'chart' },
    texts: [reportingTexts],
    load: async () => (await import('./ReportingPage.tsx')).ReportingPage,
  }),
]
