import type { NotifyAbout } from '#contract/accounts/user-settings.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { isWrittenBy, type Message } from '#contract/conversations/messages.ts'

/** Whether a message may cause a notification: one by a customer, or a teammate's that mentions this user. */
export function isNotifiable(message: Message, user_id: number): boolean {
  if (message.type === 'bot' || isWrittenBy(user_id, message)) return false
  return message.customer_id !== null || message.user_id !== null
}

/** Whether these settings ask for a notification of this message. Where the assistant answers, nobody is to look yet. */
export function isWanted(
  message: Message,
  conversation: Conversation,
  rules: readonly NotifyAbout[],
  user_id: number,
): boolean {
  if (conversation.source === 'sandbox') return false
  const wants = (rule: NotifyAbout) => rules.includes('all') || rules.includes(rule)
  if (message.customer_id === null) {
    const mentions = conversation.mentions.filter((mention) => mention.message_id === message.id)
    return wants('mentions') && mentions.some((mention) => mention.user_id === user_id)
  }
  if (conversation.assistant === 'answering') return false
  if (conversation.assignee_id === user_id) return wants('mine')
  return conversation.assignee_id === null ? wants('unassigned') : rules.includes('all')
}
