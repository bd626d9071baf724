import { definePage } from '../../../platform/pages.ts'

export const integrationPages = [
  definePage({
    path: '/integrations',
    title: 'integrations',
    nav: { icon: 'plug', role: 'admin' },
    texts: ['integrations', 'authorizations'],
    load: async () => (await import('./IntegrationsPage.tsx')).IntegrationsPage,
  }),
  definePage({
    path: '/inboxes/:inbox_id/integrations/mailbox',
    title: 'mailbox',
    texts: ['integrations', 'authorizations'],
    load: async () => (await import('./MailboxPage.tsx')).MailboxPage,
  }),
]
