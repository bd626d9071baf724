import { useTranslation } from 'react-i18next'
import type { InboxOnScreen } from '../../../features/conversations/actions/inbox-on-screen.ts'
import { openPalette } from '../../../features/conversations/actions/overlays.ts'
import { keysOf } from '../../../features/conversations/actions/registry.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import styles from './SelectionBar.module.css'

/** Actions on the selected conversations. Replaces the title and search box, so that nothing moves. */
export function SelectionBar({ count, commands }: { count: number; commands: InboxOnScreen }) {
  const { t } = useTranslation()
  const isNone = count === 0
  const areClosed = commands.targets.every(({ status }) => status === 'closed')
  return (
    <div className={styles.bar}>
      <div className={styles.head}>
        <strong className={styles.count} role="status">
          {t('choosing.count', { count })}
        </strong>
        <IconButton
          icon="close"
          label={t('choosing.none')}
          keys={keysOf('choose_none')}
          onClick={commands.chooseNone}
        />
      </div>
      <div className={styles.tools} role="toolbar" aria-label={t('choosing.bar')}>
        {areClosed && !isNone ? (
          <IconButton icon="reopen" label={t('actions.reopen')} keys={keysOf('reopen')} onClick={commands.reopen} />
        ) : (
          <IconButton
            icon="check"
            label={t('actions.close')}
            keys={keysOf('close')}
            disabled={isNone}
            onClick={() => commands.close()}
          />
        )}
        <IconButton
          icon="person"
          label={t('choosing.assign')}
          keys={keysOf('assign')}
          disabled={isNone}
          onClick={() => openPalette('assign')}
        />
        <IconButton
          icon="flag"
          label={t('choosing.tag')}
          keys={keysOf('tag')}
          disabled={isNone}
          onClick={() => openPalette('tag')}
        />
        <IconButton
          icon="clock"
          label={t('snooze.snooze')}
          keys={keysOf('snooze')}
          disabled={isNone || areClosed}
          onClick={() => openPalette('snooze')}
        />
        <IconButton
          icon="unread"
          label={t('conversation.mark_unread')}
          keys={keysOf('unread')}
          disabled={isNone}
          onClick={commands.markUnread}
        />
        <IconButton
          icon="trash"
          tone="danger"
          label={t('actions.delete')}
          keys={keysOf('delete')}
          disabled={isNone}
          onClick={() => commands.archive()}
        />
      </div>
    </div>
  )
}
