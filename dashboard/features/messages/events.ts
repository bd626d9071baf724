import type { FeatureEvents } from '../../platform/realtime/feature-events.ts'
import { applyMessageEvent } from './thread.ts'

export const messageEvents: FeatureEvents = { apply: applyMessageEvent }
