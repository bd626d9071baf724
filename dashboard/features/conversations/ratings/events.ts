import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { applyRatingEvent } from './queries.ts'

export const ratingEvents: FeatureEvents = { apply: applyRatingEvent }
