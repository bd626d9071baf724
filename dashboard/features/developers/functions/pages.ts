import { definePage } from '../../../platform/pages.ts'

export const functionPages = [
  definePage({
    path: '/functions',
    title: 'functions',
    nav: { group: 'developers', role: 'admin' },
    texts: ['functions'],
    load: async () => (await import('./FunctionsPage.tsx')).FunctionsPage,
  }),
  definePage({
    path: '/functions/:id',
    title: 'function',
    texts: ['functions', 'test-conversations'],
    load: async () => (await import('./FunctionPage.tsx')).FunctionPage,
  }),
]
