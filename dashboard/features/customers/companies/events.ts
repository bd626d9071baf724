import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { companyKeys } from './keys.ts'

export const companyEvents: FeatureEvents = {
  invalidates: { 'company:updated': [companyKeys.all], 'company:deleted': [companyKeys.all] },
}
