import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { messageTime } from '../../../../platform/times.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { useConversationActions } from '../conversation-actions.ts'
import styles from './SnoozedLine.module.css'

/** Shows above the composer until when the conversation is snoozed, or that it came back because nobody answered. */
export function SnoozedLine({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const { wake } = useConversationActions()
  const text = useReason(conversation)
  if (!text) return null
  return (
    <div className={styles.line}>
      <Icon name="clock" size={16} />
      <span>{text}</span>
      {conversation.snoozed_at && (
        <button type="button" className={styles.wake} onClick={() => wake([conversation])}>
          {t('snooze.wake')}
        </button>
      )}
    </div>
  )
}

function useReason({ snoozed_at, snoozed_until, follow_up }: Conversation): string | undefined {
  const { t } = useTranslation()
  if (!snoozed_at) return follow_up ? t('snooze.no_answer', { time: messageTime(follow_up.since) }) : undefined
  if (!snoozed_until) return t('snooze.until_answer')
  return t(follow_up ? 'snooze.comes_back' : 'snooze.until', { time: messageTime(snoozed_until) })
}
