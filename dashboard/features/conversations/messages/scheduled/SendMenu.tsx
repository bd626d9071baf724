import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { messageTime } from '../../../../platform/times.ts'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { Menu, type MenuItem } from '../../../../ui/Menu.tsx'
import { keysOf } from '../../actions/registry.ts'
import { openSendLater } from '../../actions/send-later.ts'
import { REMINDER_DAYS } from './afterwards.ts'
import type { SendPlan } from './plan.ts'
import styles from './SendMenu.module.css'
import { knownTimeZone, sendTimes } from './times.ts'

const DAY_MINUTES = 24 * 60

interface SendMenuProps {
  conversation: Conversation
  disabled: boolean
  send: (plan: SendPlan) => void
}

/** Beside the send button: other times for sending, and what happens to the conversation then. */
export function SendMenu({ conversation, disabled, send }: SendMenuProps) {
  const { t } = useTranslation()
  const zone = knownTimeZone(conversation.customer.time_zone)
  const items = (): MenuItem[] => [
    ...sendTimes(new Date(), zone).map(({ name, at }) => ({
      key: name,
      text: t(`scheduled.${name}`),
      label: (
        <span className={styles.item}>
          <span>{t(`scheduled.${name}`)}</span>
          <span className={styles.time}>{messageTime(at)}</span>
        </span>
      ),
      onClick: () => send({ send_at: at }),
    })),
    { key: 'pick', label: t('scheduled.pick'), onClick: () => openSendLater(conversation.id) },
    { type: 'divider' },
    { key: 'close', label: t('scheduled.close'), onClick: () => send({ closes: true }) },
    ...REMINDER_DAYS.map((count) => ({
      key: `remind ${count}`,
      label: t('scheduled.remind', { count }),
      onClick: () => send({ remind_minutes: count * DAY_MINUTES }),
    })),
  ]
  return (
    <Menu items={items()} placement="bottom end">
      {(trigger) => (
        <IconButton
          {...trigger}
          icon="clock"
          label={t('scheduled.menu')}
          keys={keysOf('send_later')}
          placement="top"
          disabled={disabled}
        />
      )}
    </Menu>
  )
}
