import { definePage } from '../../platform/pages.ts'

export const onboardingPages = [
  definePage({
    path: '/getting-started',
    title: { en: 'Getting started', vi: 'Bắt đầu' },
    nav: { icon: 'compass', role: 'admin' },
    load: async () => (await import('./GettingStartedPage.tsx')).GettingStartedPage,
  }),
]
