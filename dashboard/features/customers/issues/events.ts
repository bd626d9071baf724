import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { issueKeys } from './keys.ts'

export const issueEvents: FeatureEvents = {
  invalidates: {
    'issue:created': [issueKeys.all],
    'issue:updated': [issueKeys.all],
    'issue:deleted': [issueKeys.all],
  },
}
