import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { customerKeys } from './keys.ts'
import { applyArrival } from './list/arrivals.ts'
import { applyCustomerEvent } from './queries.ts'

const { lists, details, filters, imports } = customerKeys

export const customerEvents: FeatureEvents = {
  apply(client, event) {
    applyCustomerEvent(client, event)
    applyArrival(client, event)
  },
  invalidates: {
    'customer:updated': [lists],
    'customer:deleted': [lists, details],
    'customer:tagged': [lists],
    'conversations:moved': [lists, details],
    'customer_filter:updated': [filters],
    'customer_filter:deleted': [filters],
    // An import sends one event, not one per customer.
    'customer_import:updated': [imports, lists, details],
    'company:updated': [lists],
    'company:deleted': [lists],
    // Details show the authors of notes.
    'user:updated': [details],
    'tag:updated': [lists],
    'tag:deleted': [lists],
    'issue:deleted': [lists],
    'issue:linked': [lists],
    'issue:unlinked': [lists],
  },
}
