import type { ConversationRow } from '#contract/conversations/conversations.ts'
import { AWAKE } from './snoozing.ts'

/** A conversation as its customer may read it, without internal fields of the team. */
export function conversationForVisitor<Row extends ConversationRow>(conversation: Row): Row {
  const hidden = { metadata: null, priority: 'not_priority' as const, unseen_mention_user_ids: [], unproven: null }
  return { ...conversation, ...AWAKE, ...hidden }
}
