import type { ConversationRow } from '../conversations/conversations.ts'
import { INTEGRATION_NAMES, kindOf } from './kinds.ts'

/** For how many hours after its customer's last message a channel takes free text; undefined if it always does. */
export function replyHoursOf(source: ConversationRow['source']): number | undefined {
  return INTEGRATION_NAMES.map(kindOf).find(({ carries }) => carries === source)?.replyHours
}

/** Whether a conversation's channel takes nothing but approved templates now, because its customer wrote too long ago. */
export function isWindowClosed(
  { source, reply_until }: Pick<ConversationRow, 'source' | 'reply_until'>,
  now: number,
): boolean {
  return replyHoursOf(source) !== undefined && !(reply_until && Date.parse(reply_until) > now)
}
