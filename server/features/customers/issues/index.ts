import { issues } from '#contract/customers/issues.ts'
import { defineFeature } from '../../../feature.ts'
import { customerIssues } from './customer-data.ts'
import { issueChannels, openIssues } from './routes.ts'

export const issuesFeature = defineFeature({
  name: 'issues',
  calls: [issues],
  routes: [openIssues],
  channels: issueChannels,
  customerData: [customerIssues],
})
