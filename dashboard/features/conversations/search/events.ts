import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { searchKeys } from './keys.ts'

export const searchEvents: FeatureEvents = {
  invalidates: { 'message:updated': [searchKeys.all], 'message:deleted': [searchKeys.all] },
}
