import { definePage } from '../../../platform/pages.ts'

export const macroPages = [
  definePage({
    path: '/settings/macros',
    title: 'macros',
    nav: { group: 'settings' },
    texts: ['rules'],
    load: async () => (await import('./MacrosPage.tsx')).MacrosPage,
  }),
]
