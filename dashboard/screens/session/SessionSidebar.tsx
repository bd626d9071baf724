import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { type Customer, displayName } from '#contract/customers/customers.ts'
import type { VisitedSession } from '#contract/widget/live-sessions.ts'
import { conversationQuery } from '../../features/conversations/conversations/cache.ts'
import { conversationsOfQuery } from '../../features/conversations/conversations/conversations-of-customer.ts'
import { StartConversation } from '../../features/conversations/conversations/start/StartConversation.tsx'
import { Answer } from '../../features/conversations/conversations/status/Answer.tsx'
import { pathOfView } from '../../features/conversations/conversations/views.ts'
import { Thread } from '../../features/conversations/messages/thread/Thread.tsx'
import { useOpenThread } from '../../features/conversations/messages/thread/useOpenThread.ts'
import { EmailLink } from '../../features/customers/customers/EmailLink.tsx'
import { visitorName } from '../../features/widget/live-sessions/visitor-name.ts'
import { QueryView } from '../../platform/QueryView.tsx'
import { dayTitle, messageTime } from '../../platform/times.ts'
import { Definition } from '../../ui/Definition.tsx'
import { ThreadSkeleton } from '../../ui/Skeleton.tsx'
import { Truncate } from '../../ui/Truncate.tsx'
import styles from './LivePage.module.css'

/** Beside the replay: the conversation with the visitor, or their details and a button to start one. */
export function SessionSidebar({ session }: { session: VisitedSession }) {
  const { t } = useTranslation()
  const { customer } = session
  return (
    <aside className={styles.beside} aria-label={t('sessions.beside')}>
      {customer ? <OfCustomer customer={customer} /> : <OfVisitor session={session} />}
    </aside>
  )
}

/** What the browser of somebody says who is no customer yet. */
function OfVisitor({ session }: { session: VisitedSession }) {
  const { t } = useTranslation()
  const { metadata, started_at } = session
  const text = (name: string) => (typeof metadata?.[name] === 'string' ? metadata[name] : null)
  return (
    <>
      <h2 className={styles.name}>{visitorName(session)}</h2>
      <p className={styles.quiet}>{t('sessions.anonymous')}</p>
      <dl className={styles.facts}>
        <Definition name={t('sessions.started')}>{started_at && messageTime(started_at)}</Definition>
        <Definition name={t('sessions.page')}>{text('pathname')}</Definition>
        <Definition name={t('customer.browser')}>{text('browser')}</Definition>
        <Definition name={t('customer.os')}>{text('os')}</Definition>
      </dl>
    </>
  )
}

function OfCustomer({ customer }: { customer: Customer }) {
  const { t } = useTranslation()
  const pages = useInfiniteQuery(conversationsOfQuery({ customer_id: customer.id }))
  const open = pages.data?.pages.flatMap(({ data }) => data).find(({ status }) => status === 'open')
  return (
    <>
      <div>
        <h2 className={styles.name}>
          <Link to={`/customers/${customer.id}`}>
            <Truncate text={displayName(customer)} lines={2} />
          </Link>
        </h2>
        <p className={styles.quiet}>{t('sessions.unverified')}</p>
      </div>
      {!pages.data ? (
        <QueryView
          query={pages}
          failed={t('conversations_of.failed')}
          loading={<ThreadSkeleton label={t('loading')} />}
        />
      ) : open ? (
        <SessionConversation key={open.id} conversation={open} />
      ) : (
        <>
          <Facts customer={customer} />
          <StartConversation customer={customer} />
        </>
      )}
    </>
  )
}

function SessionConversation({ conversation: initial }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data: conversation = initial } = useQuery(conversationQuery(client, initial.id))
  const open = useOpenThread(conversation, undefined)
  return (
    <>
      <div className={styles.talk}>
        <Thread conversation={conversation} open={open} />
        <Answer conversation={conversation} newest_number={open.newest_number} />
      </div>
      <Link to={pathOfView({ bucket: 'all' }, conversation.id)}>{t('starting.in_dashboard')}</Link>
    </>
  )
}

function Facts({ customer }: { customer: Customer }) {
  const { t } = useTranslation()
  return (
    <dl className={styles.facts}>
      <Definition name={t('customer.email')}>{customer.email && <EmailLink address={customer.email} />}</Definition>
      <Definition name={t('customer.phone')}>{customer.phone}</Definition>
      <Definition name={t('customer.first_seen')}>{dayTitle(customer.first_seen)}</Definition>
      <Definition name={t('customer.browser')}>{customer.browser}</Definition>
      <Definition name={t('customer.os')}>{customer.os}</Definition>
      <Definition name={t('customer.time_zone')}>{customer.time_zone?.replaceAll('_', ' ')}</Definition>
    </dl>
  )
}
