import { type ConversationRow, VisitorConversationRow } from '#contract/conversations/conversations.ts'
import { pick } from '../../../pick.ts'

/** A conversation as its customer may read it. */
export function conversationForVisitor(conversation: ConversationRow): VisitorConversationRow {
  return pick(VisitorConversationRow, conversation)
}
