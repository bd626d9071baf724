import type { FeatureEvents } from '../../platform/realtime/feature-events.ts'
import { billingKeys } from './queries.ts'

export const billingEvents: FeatureEvents = {
  invalidates: {
    'billing:updated': [billingKeys.all],
    // Whoever joins or leaves takes a seat or gives it back.
    'user:updated': [billingKeys.info],
  },
}
