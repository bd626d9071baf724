import { definePage } from '../../../platform/pages.ts'

export const rulePages = [
  definePage({
    path: '/settings/rules',
    title: 'rules',
    nav: { group: 'settings', role: 'admin' },
    texts: ['rules'],
    load: async () => (await import('./RulesPage.tsx')).RulesPage,
  }),
  definePage({
    path: ['/settings/rules/new', '/settings/rules/:id'],
    title: 'rules',
    texts: ['rules'],
    load: async () => (await import('./RulePage.tsx')).RulePage,
  }),
]
