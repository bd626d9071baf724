import { authorizationTexts } from '../../features/connections/authorizations/texts.ts'
import { integrationTexts } from '../../features/connections/integrations/texts.ts'
import { definePage } from '../../platform/pages.ts'
import { twilioTexts } from './texts.ts'

export const twilioPages = [
  definePage({
    path: ['/integrations/twilio', '/inboxes/:inbox_id/integrations/twilio'],
    title: { en: 'Twilio', vi: 'Twilio' },
    texts: [authorizationTexts, integrationTexts, twilioTexts],
    load: async () => (await import('./TwilioPage.tsx')).TwilioPage,
  }),
]
