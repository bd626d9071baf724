import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { assignmentsKey } from './keys.ts'

export const assignmentsEvents: FeatureEvents = {
  invalidates: { 'conversation:assigned': ({ conversation_id }) => [assignmentsKey(conversation_id)] },
}
