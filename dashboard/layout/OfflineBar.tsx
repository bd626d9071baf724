import { useTranslation } from 'react-i18next'
import { useUnsentCount } from '../features/conversations/messages/sending/sending.ts'
import { useConnection } from '../platform/realtime/connection.ts'
import { DelayedFallback } from '../ui/DelayedFallback.tsx'
import { Icon } from '../ui/Icon.tsx'
import styles from './OfflineBar.module.css'

/** Most interruptions end at once; only longer ones are worth a bar. */
const AFTER_MS = 3_000

/** Without a connection: says that the screen is not up to date, and how many messages wait to be sent. */
export function OfflineBar() {
  const connection = useConnection()
  if (connection !== 'offline') return null
  return (
    <DelayedFallback ms={AFTER_MS}>
      <Bar />
    </DelayedFallback>
  )
}

function Bar() {
  const { t } = useTranslation()
  const unsent = useUnsentCount()
  return (
    <div className={styles.bar} role="status">
      <Icon name="alert" size={18} />
      <span>
        {t('connection.lost')} {unsent > 0 && t('connection.unsent', { count: unsent })}
      </span>
    </div>
  )
}
