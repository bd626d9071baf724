import { definePage } from '../../../platform/pages.ts'
import { authorizationTexts } from '../authorizations/texts.ts'
import { integrationTexts } from './texts.ts'

export const integrationPages = [
  definePage({
    path: '/integrations',
    title: { en: 'Integrations', vi: 'Tích hợp' },
    nav: { icon: 'plug', role: 'admin' },
    texts: [integrationTexts, authorizationTexts],
    load: async () => (await import('./IntegrationsPage.tsx')).IntegrationsPage,
  }),
  definePage({
    path: '/inboxes/:inbox_id/integrations/mailbox',
    title: { en: 'Mailbox', vi: 'Hộp thư email' },
    texts: [integrationTexts, authorizationTexts],
    load: async () => (await import('./MailboxPage.tsx')).MailboxPage,
  }),
]
