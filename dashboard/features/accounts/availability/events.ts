import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { applyAvailabilityEvent } from './queries.ts'

export const availabilityEvents: FeatureEvents = { apply: applyAvailabilityEvent }
