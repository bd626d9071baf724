import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ScheduledMessage } from '#contract/conversations/scheduled-messages.ts'
import { messageTime } from '../../../../platform/times.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { offerUndo } from './notices.ts'
import styles from './Scheduled.module.css'

interface StateProps {
  scheduled: ScheduledMessage
  /** Whether the customer has written since it was scheduled. */
  isOutdated?: boolean
}

/** When a scheduled reply is sent, or why it was not. */
export function ScheduledState({ scheduled, isOutdated = false }: StateProps) {
  const { t } = useTranslation()
  const { held_reason, is_undo, send_at, if_answered } = scheduled
  if (held_reason) {
    return (
      <span className={styles.held} role="status">
        <Icon name="alert" size={14} />
        {t(`scheduled.held.${held_reason}`)}
      </span>
    )
  }
  if (is_undo) return <Countdown scheduled={scheduled} />
  return (
    <span className={styles.waiting}>
      <Icon name="clock" size={14} />
      {t('scheduled.sends', { time: messageTime(send_at) })}
      {isOutdated && if_answered === 'hold' && ` ${t('scheduled.answered_since')}`}
    </span>
  )
}

/** The seconds left for taking it back. They are counted from the first sight, because clocks differ. */
function Countdown({ scheduled }: { scheduled: ScheduledMessage }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { send_at, created_at } = scheduled
  const [secondsLeft, setSecondsLeft] = useState(() =>
    Math.round((Date.parse(send_at) - Date.parse(created_at)) / 1000),
  )
  useEffect(() => {
    const timer = setInterval(() => setSecondsLeft((before) => before - 1), 1000)
    return () => clearInterval(timer)
  }, [])
  // Again after a reload of the page.
  useEffect(() => offerUndo(client, scheduled), [client, scheduled])
  return (
    <span className={styles.waiting}>
      <Icon name="clock" size={14} />
      {secondsLeft > 0 ? t('scheduled.seconds', { left: secondsLeft }) : t('scheduled.sending')}
    </span>
  )
}
