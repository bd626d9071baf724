import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { useConversationActions } from '../conversation-actions.ts'
import styles from './ClosedCard.module.css'

/** Whether the conversation is closed or deleted. */
export function isClosedOrDeleted(conversation: Conversation): boolean {
  return conversation.status === 'closed' || isDeleted(conversation)
}

/** Whether somebody deleted the conversation. Test conversations are archived from the beginning. */
export function isDeleted({ source, archived_at }: Conversation): boolean {
  return archived_at !== null && source !== 'sandbox'
}

/** Replaces the composer of a closed conversation. A draft is kept until it is reopened. */
export function ClosedCard({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const { reopen, restore } = useConversationActions()
  const wasDeleted = isDeleted(conversation)
  return (
    <div className={styles.card}>
      <strong>{t(wasDeleted ? 'conversation.deleted' : 'conversation.closed')}</strong>
      <button type="button" className={styles.link} onClick={() => (wasDeleted ? restore : reopen)([conversation])}>
        {t(wasDeleted ? 'undo' : 'conversation.reopen_link')}
      </button>
    </div>
  )
}
