import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { applyTeamEvent } from './queries.ts'

export const teamsEvents: FeatureEvents = { apply: applyTeamEvent }
