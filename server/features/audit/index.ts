import { audit } from '#contract/audit.ts'
import { defineFeature } from '../../feature.ts'
import { openAudit } from './routes.ts'

export const auditFeature = defineFeature({
  name: 'audit',
  calls: [audit],
  routes: [openAudit],
})
