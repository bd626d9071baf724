import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isUnread } from '#contract/buckets.ts'
import type { Conversation } from '#contract/conversations.ts'
import { tell } from '../../live.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ThreadSkeleton } from '../../ui/Skeleton.tsx'
import { useTeam } from '../accounts/account.ts'
import { CustomerDetails } from '../customers/CustomerDetails.tsx'
import { Announcer } from '../messages/Announcer.tsx'
import { Composer } from '../messages/Composer.tsx'
import { FileDrop } from '../messages/FileDrop.tsx'
import { Thread } from '../messages/Thread.tsx'
import { threadQuery } from '../messages/thread.ts'
import { ClosedCard } from './ClosedCard.tsx'
import { ConversationDetails } from './ConversationDetails.tsx'
import { ConversationHeader } from './ConversationHeader.tsx'
import styles from './ConversationPane.module.css'
import { conversationQuery } from './cache.ts'

interface PaneProps {
  id: string
  /** Where the way back leads on phones. */
  back: string
  details: boolean
  showDetails: (shown: boolean) => void
  close: (id: string) => void
  archive: (id: string) => void
}

/** One conversation: who, what was said, the composer, and what is known of the customer. */
export function ConversationPane({ id, back, ...rest }: PaneProps) {
  const client = useQueryClient()
  const { t } = useTranslation()
  const { data: conversation, isError, error, refetch } = useQuery(conversationQuery(client, id))
  if (conversation) return <Opened conversation={conversation} back={back} {...rest} />
  if (!isError) return <ThreadSkeleton label={t('loading')} />
  const isGone = 'status' in error && (error.status === 404 || error.status === 400)
  return (
    <EmptyState
      alert
      drawing={isGone ? 'lost' : 'apart'}
      title={t(isGone ? 'conversation.gone' : 'conversation.failed')}
      text={isGone ? t('conversation.gone_text') : error.message || t('list.unknown_error')}
      action={
        isGone ? (
          <Link to={back}>
            <Button>{t('back')}</Button>
          </Link>
        ) : (
          <Button onClick={() => refetch()}>{t('retry')}</Button>
        )
      }
    />
  )
}

function Opened({
  conversation,
  back,
  details,
  showDetails,
  close,
  archive,
}: Omit<PaneProps, 'id'> & { conversation: Conversation }) {
  const client = useQueryClient()
  const thread = useQuery(threadQuery(client, conversation.id))
  const newest_number = thread.data?.messages.at(-1)?.number ?? 0
  useReadMark(conversation)
  return (
    <div className={styles.pane} data-details={details || undefined}>
      <FileDrop
        conversation_id={conversation.id}
        enabled={conversation.status === 'open'}
        className={styles.conversation}
      >
        <ConversationHeader
          conversation={conversation}
          back={back}
          details={details}
          showDetails={showDetails}
          close={close}
          archive={archive}
        />
        <Thread conversation={conversation} thread={thread} />
        {conversation.status === 'closed' ? (
          <ClosedCard conversation={conversation} />
        ) : (
          <Composer conversation={conversation} newest_number={newest_number} />
        )}
        <Announcer conversation={conversation} messages={thread.data?.messages} />
      </FileDrop>
      <CustomerDetails conversation={conversation} hide={() => showDetails(false)}>
        <ConversationDetails conversation={conversation} />
      </CustomerDetails>
    </div>
  )
}

/** Tells the server that this user has looked, as soon as they really have: while the tab is hidden nobody looks. */
function useReadMark(conversation: Conversation) {
  const { me } = useTeam()
  const unread = isUnread(conversation, me.id)
  const { id, last_number } = conversation
  useEffect(() => {
    if (!unread || last_number < 0) return
    const mark = () => {
      if (!document.hidden) tell('read', { conversation_id: id })
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [unread, id, last_number])
}
