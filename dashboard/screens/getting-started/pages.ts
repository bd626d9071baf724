import { definePage } from '../../platform/pages.ts'

export const gettingStartedPages = [
  definePage({
    path: '/getting-started',
    title: 'getting_started',
    nav: { icon: 'compass', role: 'admin' },
    texts: ['accounts', 'getting-started', 'team', 'widget-settings'],
    load: async () => (await import('./GettingStartedPage.tsx')).GettingStartedPage,
  }),
]
