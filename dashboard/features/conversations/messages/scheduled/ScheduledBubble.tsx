import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { ScheduledMessage } from '#contract/conversations/scheduled-messages.ts'
import { useTeam } from '../../../accounts/accounts/account.ts'
import { Attachments } from '../bubble/Attachments.tsx'
import { MessageText } from '../bubble/MessageText.tsx'
import styles from './Scheduled.module.css'
import { ScheduledState } from './ScheduledState.tsx'
import { ScheduledTools } from './ScheduledTools.tsx'

interface BubbleProps {
  scheduled: ScheduledMessage
  conversation: Conversation
  /** Whether the customer has written since it was scheduled. */
  isOutdated: boolean
}

/** A reply that is not sent yet, dashed at the end of the thread. */
export function ScheduledBubble({ scheduled, conversation, isOutdated }: BubbleProps) {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  const author = account.users.find(({ id }) => id === scheduled.user_id)
  return (
    <article className={styles.line}>
      <div className={styles.bubble}>
        {scheduled.body && <MessageText body={scheduled.body} />}
        <Attachments files={scheduled.files} />
      </div>
      <div className={styles.meta}>
        <ScheduledState scheduled={scheduled} isOutdated={isOutdated} />
        {author && author.id !== me.id && <span>{t('scheduled.by', { name: userName(author) })}</span>}
        <ScheduledTools scheduled={scheduled} customer={conversation.customer} />
      </div>
    </article>
  )
}
