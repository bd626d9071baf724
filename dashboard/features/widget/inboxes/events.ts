import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { applyInboxEvent } from './queries.ts'

export const inboxEvents: FeatureEvents = { apply: applyInboxEvent }
