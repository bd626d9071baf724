import { useTranslation } from 'react-i18next'
import { isWindowClosed, replyHoursOf } from '#contract/connections/reply-window.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { formatNumber } from '../../../../platform/formats.ts'
import { messageTime, useNow } from '../../../../platform/times.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import styles from '../../deadlines/DueChip.module.css'
import { roughTime } from '../../deadlines/due.ts'

/** From when on it is shown how long the channel still takes free text. */
const SHOWN_MS = 4 * 3_600_000

/** In the list: the channel soon takes no free text any more, or takes none. Nothing where it always does. */
export function WindowChip({ conversation }: { conversation: Conversation }) {
  const { source, status } = conversation
  return replyHoursOf(source) !== undefined && status === 'open' ? <Remaining conversation={conversation} /> : null
}

function Remaining({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const now = useNow()
  const { reply_until } = conversation
  if (!reply_until || isWindowClosed(conversation, now)) {
    return (
      <span className={styles.chip} data-urgency="paused" title={t('window.closed_text')}>
        <Icon name="clock" size={14} />
        {t('window.closed')}
      </span>
    )
  }
  const remaining = Date.parse(reply_until) - now
  if (remaining > SHOWN_MS) return null
  const { unit, count } = roughTime(remaining)
  const time = formatNumber(count, { style: 'unit', unit, unitDisplay: 'narrow' })
  return (
    <span className={styles.chip} data-urgency="soon" title={t('window.until', { time: messageTime(reply_until) })}>
      <Icon name="clock" size={14} />
      {t('window.left', { time })}
    </span>
  )
}
