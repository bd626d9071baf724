import { invitations } from '#contract/invitations.ts'
import { defineFeature } from '../../feature.ts'
import { openInvitations } from './routes.ts'

export const invitationsFeature = defineFeature({
  name: 'invitations',
  calls: [invitations],
  routes: [openInvitations],
})
