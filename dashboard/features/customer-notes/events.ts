import type { FeatureEvents } from '../../platform/realtime/feature-events.ts'
import { noteKeys } from './keys.ts'

export const noteEvents: FeatureEvents = {
  invalidates: {
    'note:created': [noteKeys.all],
    'note:updated': [noteKeys.all],
    'note:deleted': [noteKeys.all],
    // The name of the customer stands beside each note, and so does that of whoever wrote it.
    'customer:updated': [noteKeys.all],
    'customer:deleted': [noteKeys.all],
    'customer_import:updated': [noteKeys.all],
    'conversations:moved': [noteKeys.all],
    'user:updated': [noteKeys.all],
  },
}
