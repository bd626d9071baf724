import { definePage } from '../../../platform/pages.ts'
import { accountTexts } from '../../accounts/accounts/texts.ts'
import { forwardingTexts } from './texts.ts'

export const forwardingAddressPages = [
  definePage({
    path: ['/settings/email-forwarding', '/inboxes/:inbox_id/email-forwarding'],
    title: { en: 'Email forwarding', vi: 'Chuyển tiếp email' },
    nav: { group: 'settings', role: 'admin', path: '/settings/email-forwarding' },
    texts: [forwardingTexts, accountTexts],
    load: async () => (await import('./ForwardingPage.tsx')).ForwardingPage,
  }),
]
