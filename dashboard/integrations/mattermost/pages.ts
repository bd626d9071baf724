import { definePage } from '../../platform/pages.ts'

export const mattermostPages = [
  definePage({
    path: ['/integrations/mattermost', '/inboxes/:inbox_id/integrations/mattermost'],
    title: 'mattermost',
    texts: ['authorizations', 'integrations'],
    load: async () => (await import('./MattermostPage.tsx')).MattermostPage,
  }),
]
