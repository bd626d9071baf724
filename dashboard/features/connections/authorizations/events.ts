import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { integrationKeys } from './keys.ts'

export const integrationEvents: FeatureEvents = {
  invalidates: {
    // What waits for a connection shows its problem.
    'authorization:updated': [integrationKeys.list, integrationKeys.deliveries],
    'authorization:removed': [integrationKeys.list, integrationKeys.deliveries],
    'delivery:updated': ({ conversation_id }) => [
      integrationKeys.list,
      conversation_id ? integrationKeys.deliveriesOf(conversation_id) : integrationKeys.deliveries,
    ],
  },
}
