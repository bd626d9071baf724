import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { applyAccountEvent, applyUserEvent } from './account.ts'

export const accountEvents: FeatureEvents = {
  apply(client, event) {
    applyUserEvent(client, event)
    applyAccountEvent(client, event)
  },
}
