import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { policiesQuery } from './queries.ts'

export const deadlineEvents: FeatureEvents = {
  invalidates: { 'deadline_policies:updated': [policiesQuery.queryKey] },
}
