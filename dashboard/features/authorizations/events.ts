import type { FeatureEvents } from '../../platform/realtime/feature-events.ts'
import { integrationKeys } from './keys.ts'

export const integrationEvents: FeatureEvents = {
  invalidates: {
    'authorization:updated': [integrationKeys.list],
    'authorization:removed': [integrationKeys.list],
    'delivery:updated': ({ conversation_id }) => [
      integrationKeys.list,
      conversation_id ? integrationKeys.deliveriesOf(conversation_id) : integrationKeys.deliveries,
    ],
  },
}
