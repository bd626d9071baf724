import type { FeatureEvents } from '../../../../platform/realtime/feature-events.ts'
import { applyScheduledEvent } from './cache.ts'

export const scheduledMessageEvents: FeatureEvents = { apply: applyScheduledEvent }
