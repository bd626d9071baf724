import { definePage } from '../../../platform/pages.ts'
import { emailTemplateTexts } from './texts.ts'

export const emailTemplatePages = [
  definePage({
    path: '/developers/_templates',
    title: { en: 'Email templates', vi: 'Mẫu email' },
    texts: [emailTemplateTexts],
    load: async () => (await import('./TemplatesPage.tsx')).TemplatesPage,
  }),
]
