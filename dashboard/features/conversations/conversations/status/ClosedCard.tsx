import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { useConversationActions } from '../conversation-actions.ts'
import styles from './ClosedCard.module.css'

/** Whether the conversation is closed or deleted. */
export function isOver({ status, archived_at }: Conversation): boolean {
  return status === 'closed' || archived_at !== null
}

/** Replaces the composer of a closed conversation. A draft is kept until it is reopened. */
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
