import { teams } from '#contract/accounts/teams.ts'
import { defineFeature } from '../../../feature.ts'
import { registerTeamsRoutes } from './routes.ts'

export const teamsFeature = defineFeature({ name: 'teams', calls: [teams], routes: [registerTeamsRoutes] })
