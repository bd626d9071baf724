import { useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type User, userName } from '#contract/accounts/users.ts'
import { isUnread } from '#contract/conversations/buckets.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { isWrittenBy } from '#contract/conversations/messages.ts'
import { displayName } from '#contract/customers/customers.ts'
import { isolate } from '#contract/text/isolate.ts'
import { previewOf } from '#contract/text/plain.ts'
import { useCustomerOnline } from '../../../../platform/realtime/presence.ts'
import { useTypists } from '../../../../platform/realtime/typing.ts'
import { messageTime, shortTime, useAges } from '../../../../platform/times.ts'
import { Avatar } from '../../../../ui/Avatar.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import type { IconName } from '../../../../ui/icon-paths.ts'
import { PartBoundary } from '../../../../ui/PartBoundary.tsx'
import { Anonymous } from '../../../customers/customers/Anonymous.tsx'
import { CustomerAvatar } from '../../../customers/customers/CustomerAvatar.tsx'
import { TagPill } from '../../../customers/tags/TagPill.tsx'
import { DueChip } from '../../deadlines/DueChip.tsx'
import { readDraft } from '../../messages/drafts/drafts.ts'
import { useHasDraft } from '../../messages/drafts/useHasDraft.ts'
import { threadQuery } from '../../messages/thread.ts'
import { pathOfView, type View } from '../views.ts'
import styles from './ConversationItem.module.css'
import { WindowChip } from './WindowChip.tsx'

interface ItemProps {
  view: View
  conversation: Conversation
  user_id: number
  assignee: User | undefined
  isSelected: boolean
  isClosing: boolean
  isChosen: boolean
  choose: (id: string, isRange: boolean) => void
}

/** A row of the list. One that cannot be drawn is a link with the customer's name. */
export const ConversationItem = memo(function ConversationItem(props: ItemProps) {
  const { view, conversation } = props
  return (
    <PartBoundary
      name={`conversation ${conversation.id}`}
      shows={conversation}
      fallback={
        <Link to={pathOfView(view, conversation.id)} className={styles.item}>
          {displayName(conversation.customer)}
        </Link>
      }
    >
      <Item {...props} />
    </PartBoundary>
  )
})

function Item(props: ItemProps) {
  const { view, conversation, user_id, assignee, isSelected, isClosing, isChosen, choose } = props
  const { t } = useTranslation()
  const client = useQueryClient()
  const ago = useAges()
  const online = useCustomerOnline(conversation.customer_id)
  const { customer } = conversation
  const name = displayName(customer)
  const unread = isUnread(conversation, user_id)
  const newest = conversation.messages.at(-1)
  const walk = (event: MouseEvent) => {
    if (!event.shiftKey) return
    event.preventDefault()
    choose(conversation.id, true)
  }
  return (
    <div className={styles.row} data-chosen={isChosen || undefined}>
      <Link
        to={pathOfView(view, conversation.id)}
        onClick={walk}
        className={styles.item}
        data-unread={(unread && !!newest) || undefined}
        data-closing={isClosing || undefined}
        aria-current={isSelected ? 'true' : undefined}
        onPointerEnter={() => client.prefetchQuery(threadQuery(client, conversation.id))}
      >
        <CustomerAvatar customer={customer} online={online} />
        <span className={styles.words}>
          <span className={styles.line}>
            <span className={styles.name} dir="auto">
              {name}
            </span>
            <Extras conversation={conversation} />
            {unread && <span className="unseen">{t('list.unread')}</span>}
            {conversation.snoozed_at ? (
              <Snoozed until={conversation.snoozed_until} />
            ) : (
              <time className={styles.time} dateTime={conversation.last_activity_at}>
                {ago(conversation.last_activity_at, 'short')}
              </time>
            )}
          </span>
          <span className={styles.line}>
            <Preview conversation={conversation} user_id={user_id} />
            <DueChip conversation={conversation} />
            <WindowChip conversation={conversation} />
            <Marks conversation={conversation} assignee={assignee} />
            {unread && <span className={styles.dot} />}
          </span>
        </span>
      </Link>
      <input
        type="checkbox"
        className={styles.box}
        checked={isChosen}
        aria-label={t('choosing.one', { name })}
        onClick={(event) => choose(conversation.id, event.shiftKey)}
        onChange={() => undefined}
      />
    </div>
  )
}

/** Shown instead of the age: when the conversation wakes up. */
function Snoozed({ until }: { until: string | null }) {
  const { t } = useTranslation()
  return (
    <span className={styles.snoozed}>
      <Icon name="clock" size={14} />
      <span className="unseen">
        {until ? t('snooze.until', { time: messageTime(until) }) : t('snooze.until_answer')}
      </span>
      <span aria-hidden="true">{until ? shortTime(until) : t('snooze.until_answer_short')}</span>
    </span>
  )
}

/** What is shown beside the name, as far as there is room: names and words of people come first. */
function Extras({ conversation: { customer, tags } }: Pick<ItemProps, 'conversation'>) {
  const [tag] = tags
  return (
    <span className={styles.extras}>
      <Anonymous customer={customer} />
      {tag && (
        <span className={styles.tag}>
          <TagPill tag={tag} />
        </span>
      )}
    </span>
  )
}

/** Icons of the channels other than chat. */
const CHANNELS: Partial<Record<Conversation['source'], IconName>> = {
  email: 'mail',
  sms: 'phone',
  telegram: 'send',
  whatsapp: 'phone',
  slack: 'at',
  api: 'code',
}

function Marks({ conversation, assignee }: Pick<ItemProps, 'conversation' | 'assignee'>) {
  const { t } = useTranslation()
  const channel = CHANNELS[conversation.source]
  return (
    <>
      {channel && (
        <span className={styles.channel} title={t(`sources.${conversation.source}`)}>
          <Icon name={channel} size={14} />
          <span className="unseen">{t(`sources.${conversation.source}`)}</span>
        </span>
      )}
      {conversation.assistant === 'answering' && (
        <span className={styles.channel} title={t('list.with_assistant')}>
          <Icon name="book" size={14} />
          <span className="unseen">{t('list.with_assistant')}</span>
        </span>
      )}
      {conversation.priority === 'priority' && (
        <span className={styles.star}>
          <Icon name="star" size={14} />
          <span className="unseen">{t('views.priority')}</span>
        </span>
      )}
      {assignee && (
        <span className={styles.assignee} title={t('list.assigned_to', { name: userName(assignee) })}>
          <Avatar id={assignee.id} name={userName(assignee)} photo={assignee.profile_photo_url} size={20} />
          <span className="unseen">{t('list.assigned_to', { name: userName(assignee) })}</span>
        </span>
      )}
    </>
  )
}

function Preview({ conversation, user_id }: { conversation: Conversation; user_id: number }) {
  const { t } = useTranslation()
  const typists = useTypists(conversation.id)
  const hasDraft = useHasDraft(conversation.id)
  const newest = conversation.messages.at(-1)
  if (typists.some((typist) => typist.customer_id)) {
    return (
      <span className={styles.preview} data-typing>
        {t('thread.typing_short')}
      </span>
    )
  }
  if (hasDraft) {
    return (
      <span className={styles.preview} dir="auto">
        <span className={styles.draft}>{t('list.draft')}</span>{' '}
        {previewOf({ body: readDraft(conversation.id).body, customer_id: null })}
      </span>
    )
  }
  if (!newest) return <span className={styles.preview}>{t('list.empty_conversation')}</span>
  const text = previewOf(newest) || t('list.attachment')
  const { user_id: author } = newest
  const name = author === null || newest.type === 'bot' ? undefined : userName(newest.user)
  return (
    <span className={styles.preview} dir="auto">
      {newest.private && <Icon name="note" size={14} className={styles.note} />}
      {isWrittenBy(user_id, newest) ? t('list.you', { text }) : name ? `${isolate(name)}: ${text}` : text}
    </span>
  )
}
