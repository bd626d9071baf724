import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import { vendorName } from '#contract/connections/kinds.ts'
import type { Message } from '#contract/conversations/messages.ts'
import { type Customer, displayName } from '#contract/customers/customers.ts'
import { startOfDay } from '#contract/days.ts'
import { clockTime, dayTitle, messageTime, useLabels } from '../../../../platform/times.ts'
import { Avatar } from '../../../../ui/Avatar.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { CustomerAvatar } from '../../../customers/customers/CustomerAvatar.tsx'
import type { Kind } from '../thread/entries.ts'
import styles from './Bubble.module.css'
import { MessageContent } from './MessageContent.tsx'
import { mailSenderOf } from './mail-sender.ts'

interface BubbleProps {
  message: Message
  kind: Kind
  isNote: boolean
  isFirst: boolean
  isLast: boolean
  customer: Customer
  /** It is the message that was searched for. */
  isFound?: boolean
  /** The line with its time, instead of the usual one. */
  meta?: ReactNode
  /** Shown below the bubble, such as its delivery state. */
  below?: ReactNode
  /** Actions, beside the bubble. */
  children?: ReactNode
}

/** One message: the customer's on the left, the team's and the bot's on the right. */
export function MessageBubble({ message, kind, customer, meta, below, children, ...flags }: BubbleProps) {
  const { isNote, isFirst, isLast, isFound } = flags
  const { t } = useTranslation()
  const botName = t(message.by_assistant ? 'thread.assistant' : 'thread.bot')
  const writer = mailSenderOf(message)?.name ?? displayName(customer)
  const name = kind === 'customer' ? writer : kind === 'bot' ? botName : userName(message.user)
  const vendor = vendorName(message.source)
  const withVendor = message.external_author && vendor ? t('thread.author_via', { name, vendor }) : name
  const shownName = kind === 'own' ? t('thread.you') : withVendor
  return (
    <article
      // A tap gives it the focus, which shows its actions on touch screens.
      tabIndex={-1}
      className={styles.line}
      data-kind={kind}
      data-side={kind === 'customer' ? 'customer' : 'team'}
      data-note={isNote || undefined}
      data-first={isFirst || undefined}
      data-found={isFound || undefined}
    >
      <span className={styles.face}>
        {isFirst && <Face message={message} kind={kind} name={name} customer={customer} />}
      </span>
      <div className={styles.body}>
        {isFirst ? (
          <div className={kind === 'own' && !isNote ? 'unseen' : styles.author}>
            <bdi>{shownName}</bdi>
            {isNote && <PrivateNoteLabel />}
          </div>
        ) : (
          <span className="unseen">{shownName}</span>
        )}
        <div className={styles.content}>
          <div className={styles.bubble}>
            <MessageContent message={message} />
          </div>
          {children}
        </div>
        {(isLast || message.edited_at) && (meta || <Meta message={message} />)}
        {below}
      </div>
    </article>
  )
}

/** Labels messages that only the team can see. */
export function PrivateNoteLabel() {
  const { t } = useTranslation()
  return (
    <span className={styles.icon}>
      <Icon name="note" size={14} />
      {t('thread.note')}
    </span>
  )
}

function Face({
  message,
  kind,
  name,
  customer,
}: Pick<BubbleProps, 'message' | 'kind' | 'customer'> & { name: string }) {
  if (kind === 'bot') {
    return (
      <span className={styles.bot}>
        <Icon name="settings" size={16} />
      </span>
    )
  }
  const sender = mailSenderOf(message)
  if (sender) return <Avatar id={sender.address} name={name} size={28} photo={null} />
  if (kind === 'customer') return <CustomerAvatar customer={customer} size={28} />
  const id = (message.external_author ? undefined : message.user_id) ?? name
  return <Avatar id={id} name={name} size={28} photo={message.user?.profile_photo_url ?? null} />
}

interface MetaProps {
  message: Message
  /** It has not left for the customer's channel yet. */
  isPending?: boolean
  /** When it reached the customer's device, if the channel tells. */
  delivered_at?: string | null
}

/** When it was sent and, for the team's replies, whether the customer has seen it. */
export function Meta({ message, isPending = false, delivered_at = null }: MetaProps) {
  const { t } = useLabels()
  const { t: text } = useTranslation()
  const isToCustomer = message.user_id !== null && !message.private
  const time = clockTime(message.created_at)
  const source = message.source === 'chat' ? undefined : text(`sources.${message.source}`)
  const label =
    isToCustomer && message.seen_at
      ? t('seen', { time: clockTime(message.seen_at) })
      : delivered_at
        ? t('delivered', { time: clockTime(delivered_at) })
        : source
          ? t('sent_via', { source, time })
          : t('sent', { time })
  return (
    <div className={styles.meta}>
      <time dateTime={message.created_at} title={messageTime(message.created_at)}>
        {!isPending && (isToCustomer || source) ? label : time}
      </time>
      {message.edited_at && <span title={messageTime(message.edited_at)}>{t('edited')}</span>}
      {isToCustomer && !isPending && (
        <Icon name={message.seen_at || delivered_at ? 'check-double' : 'check'} size={14} />
      )}
    </div>
  )
}

/** The line above the first unread message. */
export function UnreadLine() {
  const { t } = useTranslation()
  return <div className={styles.unread}>{t('thread.unread')}</div>
}

/** A page that the customer visited. */
export function VisitLine({ url, at }: { url: string; at: string }) {
  const { t } = useTranslation()
  return (
    <div className={styles.visit}>
      {t('thread.visit')} <bdi title={url}>{url.replace(/^https?:\/\//, '')}</bdi>{' '}
      <time dateTime={at}>{clockTime(at)}</time>
    </div>
  )
}

/** The line between two days. */
export function DayLine({ at }: { at: string }) {
  const { t } = useTranslation()
  const today = new Date()
  const day = startOfDay(at)
  const yesterday = startOfDay(new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1))
  const title = day === startOfDay(today) ? t('thread.today') : day === yesterday ? t('thread.yesterday') : dayTitle(at)
  return (
    <div className={styles.day}>
      <time dateTime={at}>{title}</time>
    </div>
  )
}
