import { definePage } from '../../../platform/pages.ts'

export const languageModelPages = [
  definePage({
    path: '/settings/language-model',
    title: 'language_model',
    nav: { group: 'settings', role: 'admin' },
    texts: ['language-model'],
    load: async () => (await import('./LanguageModelPage.tsx')).LanguageModelPage,
  }),
]
