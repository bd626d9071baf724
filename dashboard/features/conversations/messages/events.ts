import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { movesKey } from './merging/keys.ts'
import { mailKeys } from './recipients/keys.ts'
import { applyMessageEvent } from './thread.ts'
import { translationsKey } from './translations/keys.ts'

export const messageEvents: FeatureEvents = {
  apply: applyMessageEvent,
  invalidates: {
    shout: ({ conversation_id, source }) => (source === 'email' ? [mailKeys.of(conversation_id)] : []),
    'message:deleted': ({ conversation_id }) => [mailKeys.of(conversation_id)],
    'delivery:updated': ({ conversation_id }) => (conversation_id ? [mailKeys.of(conversation_id)] : []),
    // Where answers go depends on the customer's address.
    'customer:updated': [mailKeys.all],
    'conversations:moved': [mailKeys.all],
    'messages:moved': ({ from, to }) => [
      movesKey(from.id),
      movesKey(to.id),
      mailKeys.of(from.id),
      mailKeys.of(to.id),
      translationsKey(from.id),
      translationsKey(to.id),
    ],
    'messages:translated': ({ conversation_id }) => [translationsKey(conversation_id)],
    // The translations of an edited message are dropped.
    'message:updated': ({ conversation_id }) => [translationsKey(conversation_id)],
  },
}
