import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { userKeys } from './keys.ts'

export const userEvents: FeatureEvents = { invalidates: { 'user:updated': [userKeys.profile] } }
