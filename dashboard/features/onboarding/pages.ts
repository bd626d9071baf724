import { definePage } from '../../platform/pages.ts'
import { onboardingTexts } from './texts.ts'

export const onboardingPages = [
  definePage({
    path: '/getting-started',
    title: { en: 'Getting started', vi: 'Bắt đầu' },
    nav: { icon: 'compass', role: 'admin' },
    texts: [onboardingTexts],
    load: async () => (await import('./GettingStartedPage.tsx')).GettingStartedPage,
  }),
]
