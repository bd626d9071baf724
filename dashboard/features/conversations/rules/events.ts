import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { rulesQuery } from './queries.ts'

export const ruleEvents: FeatureEvents = { invalidates: { 'rules:updated': [rulesQuery.queryKey] } }
