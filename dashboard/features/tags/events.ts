import type { FeatureEvents } from '../../platform/realtime/feature-events.ts'
import { tagKeys } from './keys.ts'

export const tagEvents: FeatureEvents = {
  invalidates: {
    'tag:updated': [tagKeys.all],
    'tag:deleted': [tagKeys.all],
    'customer:tagged': [tagKeys.all],
    'customer:deleted': [tagKeys.all],
    'conversation:tagged': [tagKeys.all],
    // A conversation that is deleted counts no longer.
    'conversation:updated': [tagKeys.counted, tagKeys.details],
  },
}
