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
 * A row of the list. Swiped by touch to the right, its conversation is closed, or reopened, and to the left snoozed until
 * tomorrow, or woken; below the row is shown what letting go does. The same swipe undoes it, where it is listed then.
 */
export function SwipeRow({ conversation, disabled, children }: SwipeRowProps) {
  const { t } = useTranslation()
  const { close, reopen, snooze, wake } = useConversationActions()
  const isClosed = conversation.status === 'closed'
  const isSnoozed = conversation.snoozed_at !== null
  const row = useRef<HTMLDivElement>(null)
  const swiped = (side: Side) => {
    if (side === 'right') return void (isClosed ? reopen : close)([conversation])
    if (isSnoozed) return void wake([conversation])
    const tomorrow = snoozeTimes(new Date()).find(({ name }) => name === 'tomorrow')
    if (tomorrow) void snooze([conversation], tomorrow.until)
  }
  useSwipe(row, { sides: disabled ? [] : isClosed ? CLOSED_SIDES : SIDES, swiped })
  return (
    <div ref={row} className={styles.row}>
      <span className={styles.behind} aria-hidden="true">
        <span className={styles.right}>
          <Icon name="check" />
          {t(isClosed ? 'conversation.reopen_short' : 'swipe.close')}
        </span>
        <span className={styles.left}>
          {t(isSnoozed ? 'snooze.wake' : 'swipe.snooze')}
          <Icon name="clock" />
        </span>
      </span>
      <div className={styles.front}>{children}</div>
    </div>
  )
}

const SIDES: Side[] = ['left', 'right']
/** What is closed is not snoozed. */
const CLOSED_SIDES: Side[] = ['right']
