import { definePage } from '../../../platform/pages.ts'

export const forwardingAddressPages = [
  definePage({
    path: ['/settings/email-forwarding', '/inboxes/:inbox_id/email-forwarding'],
    title: 'email_forwarding',
    nav: { group: 'settings', role: 'admin', path: '/settings/email-forwarding' },
    texts: ['forwarding-addresses', 'accounts'],
    load: async () => (await import('./ForwardingPage.tsx')).ForwardingPage,
  }),
]
