import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { billingKeys } from './queries.ts'

export const billingEvents: FeatureEvents = {
  invalidates: {
    'billing:updated': [billingKeys.all],
    // Users who join or leave change the number of seats.
    'user:updated': [billingKeys.info],
  },
}
