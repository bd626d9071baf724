import { Button, Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Conversation } from '#contract/conversations.ts'
import { customerName } from '#contract/customers.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton, TooltipText } from '../../ui/IconButton.tsx'
import { AssigneeSelect } from './AssigneeSelect.tsx'
import { useConversationActions } from './actions.ts'
import styles from './ConversationHeader.module.css'

interface HeaderProps {
  conversation: Conversation
  back: string
  details: boolean
  showDetails: (shown: boolean) => void
  close: (id: string) => void
  archive: (id: string) => void
}

export function ConversationHeader({ conversation, back, details, showDetails, close, archive }: HeaderProps) {
  const { t } = useTranslation()
  const { assign, setPriority } = useConversationActions()
  const { id } = conversation
  const isPriority = conversation.priority === 'priority'
  const name = customerName(conversation.customer)
  const email = conversation.customer.email === name ? null : conversation.customer.email
  return (
    <header className={styles.header}>
      <Link to={back} className={styles.back} aria-label={t('back')}>
        <Icon name="arrow-left" />
      </Link>
      <div className={styles.who}>
        <h1 className={styles.name}>{name}</h1>
        {(conversation.subject || email) && <div className={styles.about}>{conversation.subject || email}</div>}
      </div>
      <div className={styles.actions}>
        <AssigneeSelect conversation={conversation} assign={(assignee_id) => assign(id, assignee_id)} />
        <IconButton
          icon="star"
          tone="star"
          label={t(isPriority ? 'conversation.unprioritize' : 'conversation.prioritize')}
          keys={isPriority ? 'mod+u' : 'mod+p'}
          pressed={isPriority}
          onClick={() => setPriority(id, isPriority ? 'not_priority' : 'priority')}
        />
        <IconButton icon="trash" tone="danger" label={t('conversation.delete')} onClick={() => archive(id)} />
        <span className={styles.details}>
          <IconButton
            icon="panel"
            label={t('conversation.details')}
            pressed={details}
            onClick={() => showDetails(!details)}
          />
        </span>
        <StatusButton conversation={conversation} close={close} />
      </div>
    </header>
  )
}

/** The one main thing to do: close what is open, reopen what is closed. */
function StatusButton({ conversation, close }: Pick<HeaderProps, 'conversation' | 'close'>) {
  const { t } = useTranslation()
  const { reopen } = useConversationActions()
  const isOpen = conversation.status === 'open'
  const label = t(isOpen ? 'conversation.close' : 'conversation.reopen')
  return (
    <Tooltip title={<TooltipText label={label} keys={isOpen ? 'mod+d' : 'mod+o'} />}>
      <Button
        className={styles.main}
        aria-label={label}
        icon={<Icon name={isOpen ? 'check' : 'reopen'} size={18} />}
        onClick={() => (isOpen ? close(conversation.id) : reopen(conversation))}
      >
        <span className={styles.word}>{t(isOpen ? 'conversation.close_short' : 'conversation.reopen_short')}</span>
      </Button>
    </Tooltip>
  )
}
