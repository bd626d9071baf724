import { definePage } from '../../platform/pages.ts'

export const whatsappPages = [
  definePage({
    path: ['/integrations/whatsapp', '/inboxes/:inbox_id/integrations/whatsapp'],
    title: 'whatsapp',
    texts: ['authorizations', 'integrations', 'whatsapp'],
    load: async () => (await import('./WhatsappPage.tsx')).WhatsappPage,
  }),
]
