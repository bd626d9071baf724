import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { messageTime } from '../../../../platform/times.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { useConversationActions } from '../conversation-actions.ts'
import styles from './SnoozedLine.module.css'

/** Shows above the composer until when the conversation is snoozed. */
export function SnoozedLine({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const { wake } = useConversationActions()
  const { snoozed_at, snoozed_until } = conversation
  if (!snoozed_at) return null
  return (
    <div className={styles.line}>
      <Icon name="clock" size={16} />
      <span>{snoozed_until ? t('snooze.until', { time: messageTime(snoozed_until) }) : t('snooze.until_answer')}</span>
      <button type="button" className={styles.wake} onClick={() => wake([conversation])}>
        {t('snooze.wake')}
      </button>
    </div>
  )
}
