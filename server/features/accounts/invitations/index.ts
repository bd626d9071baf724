import { invitations } from '#contract/accounts/invitations.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { pruneInvitations } from './prune-invitations.ts'
import { registerInvitationsRoutes } from './routes.ts'

export const invitationsFeature = defineFeature({
  name: 'invitations',
  calls: [invitations],
  routes: [registerInvitationsRoutes],
  schedules: [defineSchedule('invitations.prune', '29 3 * * *', ({ db }) => pruneInvitations(db))],
})
