import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { noteKeys } from './keys.ts'

export const noteEvents: FeatureEvents = {
  invalidates: {
    'note:created': [noteKeys.all],
    'note:updated': [noteKeys.all],
    'note:deleted': [noteKeys.all],
    // Notes are shown with the names of their customer and author.
    'customer:updated': [noteKeys.all],
    'customer:deleted': [noteKeys.all],
    'customer_import:updated': [noteKeys.all],
    'conversations:moved': [noteKeys.all],
    'user:updated': [noteKeys.all],
  },
}
