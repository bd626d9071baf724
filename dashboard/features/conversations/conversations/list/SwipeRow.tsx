import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { snoozeTimes } from '../../actions/snooze-times.ts'
import { useConversationActions } from '../conversation-actions.ts'
import styles from './SwipeRow.module.css'
import { type Side, useSwipe } from './swipe.ts'

interface SwipeRowProps {
  conversation: Conversation
  /** While conversations are being chosen. */
  disabled: boolean
  children: ReactNode
}

/**
 * A row of the list. Swiped by touch to the right, its conversation is closed, and to the left snoozed until tomorrow;
 * below the row is shown what letting go does. Both can be undone.
 */
export function SwipeRow({ conversation, disabled, children }: SwipeRowProps) {
  const { t } = useTranslation()
  const { close, snooze } = useConversationActions()
  const row = useRef<HTMLDivElement>(null)
  const swiped = (side: Side) => {
    const tomorrow = snoozeTimes(new Date()).find(({ name }) => name === 'tomorrow')
    if (side === 'right') void close([conversation])
    else if (tomorrow) void snooze([conversation], tomorrow.until)
  }
  useSwipe(row, { sides: disabled ? [] : sidesOf(conversation), swiped })
  return (
    <div ref={row} className={styles.row}>
      <span className={styles.behind} aria-hidden="true">
        <span className={styles.right}>
          <Icon name="check" />
          {t('swipe.close')}
        </span>
        <span className={styles.left}>
          {t('swipe.snooze')}
          <Icon name="clock" />
        </span>
      </span>
      <div className={styles.front}>{children}</div>
    </div>
  )
}

/** What is closed cannot be closed, and what is snoozed not snoozed. */
function sidesOf({ status, snoozed_at }: Conversation): Side[] {
  if (status !== 'open') return []
  return snoozed_at ? ['right'] : ['left', 'right']
}
