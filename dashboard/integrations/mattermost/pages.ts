import { authorizationTexts } from '../../features/connections/authorizations/texts.ts'
import { integrationTexts } from '../../features/connections/integrations/texts.ts'
import { definePage } from '../../platform/pages.ts'

export const mattermostPages = [
  definePage({
    path: ['/integrations/mattermost', '/inboxes/:inbox_id/integrations/mattermost'],
    title: { en: 'Mattermost', vi: 'Mattermost' },
    texts: [authorizationTexts, integrationTexts],
    load: async () => (await import('./MattermostPage.tsx')).MattermostPage,
  }),
]
