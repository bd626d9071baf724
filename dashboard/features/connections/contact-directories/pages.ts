import { definePage } from '../../../platform/pages.ts'

export const contactDirectoryPages = [
  definePage({
    path: '/integrations/hubspot',
    title: 'hubspot',
    texts: ['authorizations', 'contact-directories', 'integrations', 'oauth'],
    load: async () => (await import('./HubspotPage.tsx')).HubspotPage,
  }),
  definePage({
    path: '/integrations/intercom',
    title: 'intercom',
    texts: ['authorizations', 'contact-directories', 'integrations', 'oauth'],
    load: async () => (await import('./IntercomPage.tsx')).IntercomPage,
  }),
]
