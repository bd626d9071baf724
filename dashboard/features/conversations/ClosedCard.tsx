import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations.ts'
import { useConversationActions } from './actions.ts'
import styles from './ClosedCard.module.css'

/** Stands where the composer would be. */
export function ClosedCard({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const { reopen } = useConversationActions()
  return (
    <div className={styles.card}>
      <strong>{t('conversation.closed')}</strong>
      <button type="button" className={styles.link} onClick={() => reopen([conversation])}>
        {t('conversation.reopen_link')}
      </button>
    </div>
  )
}
