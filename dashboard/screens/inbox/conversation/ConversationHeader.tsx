import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { displayName } from '#contract/customers/customers.ts'
import type { InboxOnScreen } from '../../../features/conversations/actions/inbox-on-screen.ts'
import { openPalette } from '../../../features/conversations/actions/overlays.ts'
import { keysOf } from '../../../features/conversations/actions/registry.ts'
import { useConversationActions } from '../../../features/conversations/conversations/conversation-actions.ts'
import { AssigneeSelect } from '../../../features/conversations/conversations/status/AssigneeSelect.tsx'
import { SnoozeMenu } from '../../../features/conversations/conversations/status/SnoozeMenu.tsx'
import { DueChip } from '../../../features/conversations/deadlines/DueChip.tsx'
import { Anonymous } from '../../../features/customers/customers/Anonymous.tsx'
import { lazyComponent } from '../../../platform/lazy/lazy-component.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { LazyMount } from '../../../ui/LazyMount.tsx'
import { Tooltip } from '../../../ui/Tooltip.tsx'
import { useTabTitle } from '../../../ui/tab-title.ts'
import styles from './ConversationHeader.module.css'
import { Viewers } from './Viewers.tsx'

const ClaimLine = lazyComponent(
  async () => (await import('../../../features/customers/customers/merging/ClaimLine.tsx')).ClaimLine,
)

interface HeaderProps {
  conversation: Conversation
  back: string
  details: boolean
  showDetails: (shown: boolean) => void
  commands: InboxOnScreen
}

export function ConversationHeader({ conversation, back, details, showDetails, commands }: HeaderProps) {
  const { t } = useTranslation()
  const { assign, setPriority, markUnread } = useConversationActions()
  const targets = [conversation]
  /** The palette acts on the selected conversations, if any; this button is only about this one. */
  const find = () => {
    commands.chooseNone()
    openPalette('assign')
  }
  const isPriority = conversation.priority === 'priority'
  const name = displayName(conversation.customer)
  useTabTitle(name)
  const email = conversation.customer.email === name ? null : conversation.customer.email
  return (
    <header className={styles.header}>
      <Link to={back} className={styles.back} aria-label={t('back')}>
        <Icon name="arrow-left" />
      </Link>
      <div className={styles.who}>
        <h1 className={styles.name}>
          <bdi>{name}</bdi>
        </h1>
        <div className={styles.about}>
          {conversation.subject || email || <Anonymous customer={conversation.customer} />}
        </div>
      </div>
      <DueChip conversation={conversation} />
      <Viewers conversation_id={conversation.id} />
      <div className={styles.actions}>
        <AssigneeSelect
          conversation={conversation}
          assign={(assignee_id) => assign(targets, assignee_id)}
          find={find}
        />
        <IconButton
          icon="star"
          tone="star"
          label={t(isPriority ? 'conversation.unprioritize' : 'conversation.prioritize')}
          keys={keysOf(isPriority ? 'unprioritize' : 'prioritize')}
          pressed={isPriority}
          onClick={() => setPriority(targets, isPriority ? 'not_priority' : 'priority')}
        />
        <span className={styles.roomy}>
          <IconButton
            icon="unread"
            label={t('conversation.mark_unread')}
            keys={keysOf('unread')}
            disabled={!conversation.read}
            onClick={() => markUnread(targets)}
          />
        </span>
        {conversation.status === 'open' && <SnoozeMenu snooze={(until) => commands.snooze(until, targets)} />}
        <IconButton
          icon="trash"
          tone="danger"
          label={t('conversation.delete')}
          keys={keysOf('delete')}
          onClick={once(() => commands.archive(targets))}
        />
        <span className={styles.details}>
          <IconButton
            icon="panel"
            label={t('conversation.details')}
            pressed={details}
            onClick={() => showDetails(!details)}
          />
        </span>
        <StatusButton conversation={conversation} commands={commands} />
      </div>
      <LazyMount when={conversation.customer.claimed_customer_id !== null}>
        <ClaimLine key={conversation.customer_id} customer={conversation.customer} />
      </LazyMount>
    </header>
  )
}

/** Ignores the second click of a double click, which would affect the next conversation. */
function once(work: () => unknown) {
  return ({ detail }: MouseEvent) => {
    if (detail < 2) work()
  }
}

/** The main action: close or reopen. */
function StatusButton({ conversation, commands }: Pick<HeaderProps, 'conversation' | 'commands'>) {
  const { t } = useTranslation()
  const { reopen } = useConversationActions()
  const isOpen = conversation.status === 'open'
  const label = t(isOpen ? 'conversation.close' : 'conversation.reopen')
  return (
    <Tooltip text={label} keys={keysOf(isOpen ? 'close' : 'reopen')}>
      <Button
        className={styles.main}
        aria-label={label}
        icon={<Icon name={isOpen ? 'check' : 'reopen'} size={18} />}
        onClick={once(() => (isOpen ? commands.close([conversation]) : reopen([conversation])))}
      >
        <span className={styles.word}>{t(isOpen ? 'conversation.close_short' : 'conversation.reopen_short')}</span>
      </Button>
    </Tooltip>
  )
}
