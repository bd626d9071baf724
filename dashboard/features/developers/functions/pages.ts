import { definePage } from '../../../platform/pages.ts'
import { functionTexts } from './texts.ts'

export const functionPages = [
  definePage({
    path: '/functions',
    title: { en: 'Functions', vi: 'Hàm' },
    nav: { group: 'developers', role: 'admin' },
    texts: [functionTexts],
    load: async () => (await import('./FunctionsPage.tsx')).FunctionsPage,
  }),
  definePage({
    path: '/functions/:id',
    title: { en: 'Function', vi: 'Hàm' },
    texts: [functionTexts],
    load: async () => (await import('./FunctionPage.tsx')).FunctionPage,
  }),
]
