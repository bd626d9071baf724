import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { POLICIES_KEY } from './keys.ts'

export const deadlineEvents: FeatureEvents = {
  invalidates: { 'deadline_policies:updated': [POLICIES_KEY] },
}
