import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { ATTRIBUTES_KEY } from './keys.ts'

/** Customers and conversations bring their values by events of their own. */
export const attributeEvents: FeatureEvents = {
  invalidates: { 'attribute_definitions:updated': [ATTRIBUTES_KEY] },
}
