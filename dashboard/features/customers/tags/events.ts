import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { tagKeys } from './keys.ts'

export const tagEvents: FeatureEvents = {
  invalidates: {
    'tag:updated': [tagKeys.all],
    'tag:deleted': [tagKeys.all],
    'customer:tagged': [tagKeys.all],
    'customer:deleted': [tagKeys.all],
    'conversation:tagged': [tagKeys.all],
    // Deleted conversations are no longer counted.
    'conversation:updated': [tagKeys.counted, tagKeys.details],
  },
}
