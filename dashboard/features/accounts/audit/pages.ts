import { definePage } from '../../../platform/pages.ts'

export const auditPages = [
  definePage({
    path: '/settings/audit',
    texts: ['audit', 'accounts', 'working-hours', 'team', 'inboxes', 'widget-settings'],
    load: async () => (await import('./AuditPage.tsx')).AuditPage,
  }),
]
