import { issues } from '#contract/issues.ts'
import { defineFeature } from '../../feature.ts'
import { issueChannels, openIssues } from './routes.ts'

export const issuesFeature = defineFeature({
  name: 'issues',
  calls: [issues],
  routes: [openIssues],
  channels: issueChannels,
})
