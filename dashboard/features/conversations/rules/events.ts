import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { RULES_KEY, ruleEventsKey } from './keys.ts'

/** What rules do is an ordinary change, after which the open conversation's history has grown. */
export const ruleEvents: FeatureEvents = {
  invalidates: {
    'rules:updated': [RULES_KEY],
    'conversation:updated': ({ id }) => [ruleEventsKey(id)],
    'conversation:tagged': ({ id }) => [ruleEventsKey(id)],
    shout: ({ type, conversation_id }) => (type === 'bot' ? [ruleEventsKey(conversation_id)] : []),
  },
}
