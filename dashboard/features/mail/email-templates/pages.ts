import { definePage } from '../../../platform/pages.ts'

export const emailTemplatePages = [
  definePage({
    path: '/developers/_templates',
    title: 'email_templates',
    texts: ['email-templates'],
    load: async () => (await import('./TemplatesPage.tsx')).TemplatesPage,
  }),
]
