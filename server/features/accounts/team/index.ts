import { team } from '#contract/accounts/team.ts'
import { defineFeature } from '../../../feature.ts'
import { registerTeamRoutes } from './routes.ts'

export const teamFeature = defineFeature({
  name: 'team',
  calls: [team],
  routes: [registerTeamRoutes],
})
