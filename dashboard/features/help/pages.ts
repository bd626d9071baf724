import { definePage } from '../../platform/pages.ts'

export const helpPages = [
  definePage({
    path: '/help-center/articles',
    title: 'articles',
    nav: { group: 'help' },
    texts: ['help'],
    load: async () => (await import('./articles/ArticlesPage.tsx')).ArticlesPage,
  }),
  definePage({
    path: '/help-center/articles/new',
    texts: ['help'],
    load: async () => (await import('./articles/NewArticlePage.tsx')).NewArticlePage,
  }),
  definePage({
    path: '/help-center/articles/:id',
    texts: ['help'],
    load: async () => (await import('./editor/ArticlePage.tsx')).ArticlePage,
  }),
  definePage({
    path: '/help-center/collections',
    title: 'collections',
    nav: { group: 'help' },
    texts: ['help'],
    load: async () => (await import('./collections/CollectionsPage.tsx')).CollectionsPage,
  }),
  definePage({
    path: '/help-center/missing',
    title: 'help_gaps',
    nav: { group: 'help' },
    texts: ['help'],
    load: async () => (await import('./gaps/GapsPage.tsx')).GapsPage,
  }),
  definePage({
    path: '/help-center/answers',
    title: 'first_answers',
    nav: { group: 'help' },
    texts: ['first-answers'],
    load: async () => (await import('./answers/AnswersPage.tsx')).AnswersPage,
  }),
  definePage({
    path: '/help-center/settings',
    title: 'help_settings',
    nav: { group: 'help', role: 'admin' },
    texts: ['help'],
    load: async () => (await import('./settings/HelpSettingsPage.tsx')).HelpSettingsPage,
  }),
]
