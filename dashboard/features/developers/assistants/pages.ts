import { definePage } from '../../../platform/pages.ts'

export const assistantPages = [
  definePage({
    path: '/settings/assistants',
    title: 'assistants',
    nav: { group: 'settings' },
    texts: ['assistants'],
    load: async () => (await import('./AssistantsPage.tsx')).AssistantsPage,
  }),
  definePage({
    path: '/assistants/authorize',
    title: 'assistants',
    texts: ['assistants'],
    load: async () => (await import('./ConsentPage.tsx')).ConsentPage,
  }),
]
