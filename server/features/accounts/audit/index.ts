import { audit } from '#contract/accounts/audit.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { pruneAudit } from './audit.ts'
import { registerAuditRoutes } from './routes.ts'

export const auditFeature = defineFeature({
  name: 'audit',
  calls: [audit],
  routes: [registerAuditRoutes],
  schedules: [defineSchedule('audit.prune', '19 3 * * *', ({ db }) => pruneAudit(db))],
})
