import { definePage } from '../../../platform/pages.ts'
import { authorizationTexts } from '../authorizations/texts.ts'
import { integrationTexts } from '../integrations/texts.ts'
import { oauthTexts } from '../oauth/texts.ts'
import { directoryTexts } from './texts.ts'

export const contactDirectoryPages = [
  definePage({
    path: '/integrations/hubspot',
    title: { en: 'HubSpot', vi: 'HubSpot' },
    texts: [authorizationTexts, directoryTexts, integrationTexts, oauthTexts],
    load: async () => (await import('./HubspotPage.tsx')).HubspotPage,
  }),
  definePage({
    path: '/integrations/intercom',
    title: { en: 'Intercom', vi: 'Intercom' },
    texts: [authorizationTexts, directoryTexts, integrationTexts, oauthTexts],
    load: async () => (await import('./IntercomPage.tsx')).IntercomPage,
  }),
]
