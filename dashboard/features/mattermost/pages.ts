import { definePage } from '../../platform/pages.ts'
import { authorizationTexts } from '../authorizations/texts.ts'
import { integrationTexts } from '../integrations/texts.ts'
import { mattermostTexts } from './texts.ts'

export const mattermostPages = [
  definePage({
    path: ['/integrations/mattermost', '/inboxes/:inbox_id/integrations/mattermost'],
    title: { en: 'Mattermost', vi: 'Mattermost' },
    texts: [authorizationTexts, integrationTexts, mattermostTexts],
    load: async () => (await import('./MattermostPage.tsx')).MattermostPage,
  }),
]
