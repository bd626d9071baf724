import { issues } from '#contract/customers/issues.ts'
import { defineFeature } from '../../../feature.ts'
import { customerIssues } from './customer-data.ts'
import { issueChannels, registerIssuesRoutes } from './routes.ts'

export const issuesFeature = defineFeature({
  name: 'issues',
  calls: [issues],
  routes: [registerIssuesRoutes],
  channels: issueChannels,
  customerData: [customerIssues],
})
