import { definePage } from '../../platform/pages.ts'

export const twilioPages = [
  definePage({
    path: ['/integrations/twilio', '/inboxes/:inbox_id/integrations/twilio'],
    title: 'twilio',
    texts: ['authorizations', 'integrations', 'twilio'],
    load: async () => (await import('./TwilioPage.tsx')).TwilioPage,
  }),
]
