import { definePage } from '../../platform/pages.ts'

export const auditPages = [
  definePage({ path: '/settings/audit', load: async () => (await import('./AuditPage.tsx')).AuditPage }),
]
