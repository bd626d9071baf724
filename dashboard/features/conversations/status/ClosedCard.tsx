import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations.ts'
import { useConversationActions } from '../conversation-actions.ts'
import styles from './ClosedCard.module.css'

/** Whether nothing can be answered here, because it was closed or deleted. */
export function isOver({ status, archived_at }: Conversation): boolean {
  return status === 'closed' || archived_at !== null
}

/** Stands where the composer would be. What is being written there waits until somebody brings the conversation back. */
export function ClosedCard({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const { reopen, restore } = useConversationActions()
  const isDeleted = conversation.archived_at !== null
  return (
    <div className={styles.card}>
      <strong>{t(isDeleted ? 'conversation.deleted' : 'conversation.closed')}</strong>
      <button type="button" className={styles.link} onClick={() => (isDeleted ? restore : reopen)([conversation])}>
        {t(isDeleted ? 'undo' : 'conversation.reopen_link')}
      </button>
    </div>
  )
}
