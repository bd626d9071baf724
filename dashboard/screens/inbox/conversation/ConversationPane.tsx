import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useLocation } from 'react-router'
import { isUnread } from '#contract/conversations/buckets.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { useTeam } from '../../../features/accounts/accounts/account.ts'
import type { InboxOnScreen } from '../../../features/conversations/actions/inbox-on-screen.ts'
import { conversationQuery } from '../../../features/conversations/conversations/cache.ts'
import { Answer } from '../../../features/conversations/conversations/status/Answer.tsx'
import { isClosedOrDeleted } from '../../../features/conversations/conversations/status/ClosedCard.tsx'
import { FileDrop } from '../../../features/conversations/messages/files/FileDrop.tsx'
import { Announcer } from '../../../features/conversations/messages/thread/Announcer.tsx'
import { Thread } from '../../../features/conversations/messages/thread/Thread.tsx'
import { useOpenThread } from '../../../features/conversations/messages/thread/useOpenThread.ts'
import { RatingLine } from '../../../features/conversations/ratings/RatingLine.tsx'
import { lazyComponent } from '../../../platform/lazy/lazy-component.tsx'
import { sendToTeam } from '../../../platform/realtime/connection.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LazyMount } from '../../../ui/LazyMount.tsx'
import { ThreadSkeleton } from '../../../ui/Skeleton.tsx'
import { useNoticePosition } from '../../../ui/useNoticePosition.ts'
import { ConversationHeader } from './ConversationHeader.tsx'
import styles from './ConversationPane.module.css'

/** The sidebar is loaded after the conversation; its space is reserved. */
const ConversationSidebar = lazyComponent(async () => (await import('./ConversationSidebar.tsx')).ConversationSidebar)
const SnoozedLine = lazyComponent(
  async () => (await import('../../../features/conversations/conversations/status/SnoozedLine.tsx')).SnoozedLine,
)

interface PaneProps {
  id: string
  /** The target of the back button on phones. */
  back: string
  details: boolean
  showDetails: (shown: boolean) => void
  commands: InboxOnScreen
}

/** One conversation: header, thread, composer, and customer details. */
export function ConversationPane({ id, back, ...rest }: PaneProps) {
  const client = useQueryClient()
  const { t } = useTranslation()
  const { data: conversation, isError, error, refetch } = useQuery(conversationQuery(client, id))
  const { foundNumber, visit } = useFoundMessage()
  if (conversation?.merged_into) return <Navigate to={`${back}/${conversation.merged_into}`} replace />
  if (conversation)
    return <Opened conversation={conversation} foundNumber={foundNumber} visit={visit} back={back} {...rest} />
  if (!isError) return <ThreadSkeleton label={t('loading')} />
  const isMissing = 'status' in error && (error.status === 404 || error.status === 400)
  return (
    <EmptyState
      alert
      drawing={isMissing ? 'lost' : 'apart'}
      title={t(isMissing ? 'conversation.gone' : 'conversation.failed')}
      text={isMissing ? t('conversation.gone_text') : error.message || t('list.unknown_error')}
      action={
        isMissing ? (
          <ButtonLink to={back}>{t('back')}</ButtonLink>
        ) : (
          <Button onClick={() => refetch()}>{t('retry')}</Button>
        )
      }
    />
  )
}

/**
 * The number of the message that was searched for, if any. `visit` changes with each search, also for the same message.
 */
function useFoundMessage(): { foundNumber: number | undefined; visit: string } {
  const { search, key } = useLocation()
  const number = Number.parseInt(new URLSearchParams(search).get('message') ?? '', 10)
  return number > 0 ? { foundNumber: number, visit: key } : { foundNumber: undefined, visit: '' }
}

interface OpenedProps extends Omit<PaneProps, 'id'> {
  conversation: Conversation
  foundNumber: number | undefined
  visit: string
}

/**
 * The header and sidebar stay mounted when another conversation opens; only thread and composer start anew. The sidebar
 * is deferred, so that it does not delay them.
 */
function Opened({ conversation, foundNumber, visit, back, details, showDetails, commands }: OpenedProps) {
  const hide = useCallback(() => showDetails(false), [showDetails])
  return (
    <div className={styles.pane} data-details={details || undefined}>
      <FileDrop
        conversation_id={conversation.id}
        enabled={!isClosedOrDeleted(conversation)}
        className={styles.conversation}
      >
        <ConversationHeader
          conversation={conversation}
          back={back}
          details={details}
          showDetails={showDetails}
          commands={commands}
        />
        <ThreadAndComposer key={`${conversation.id} ${visit}`} conversation={conversation} foundNumber={foundNumber} />
      </FileDrop>
      <Suspense fallback={null}>
        <ConversationSidebar conversation={useDeferredValue(conversation)} hide={hide} />
      </Suspense>
    </div>
  )
}

/** The thread and the composer. */
function ThreadAndComposer({
  conversation,
  foundNumber,
}: {
  conversation: Conversation
  foundNumber: number | undefined
}) {
  const open = useOpenThread(conversation, foundNumber)
  const messages = open.thread.data?.messages
  const below = useRef<HTMLDivElement>(null)
  useNoticePosition(below)
  const [isAtBottom, setAtBottom] = useState(true)
  useReadMark(conversation, open.unread !== undefined, isAtBottom)
  return (
    <>
      <Thread conversation={conversation} open={open} onBottom={setAtBottom} />
      <RatingLine conversation_id={conversation.id} />
      <LazyMount when={conversation.snoozed_at !== null || !!conversation.follow_up}>
        <SnoozedLine conversation={conversation} />
      </LazyMount>
      <div ref={below}>
        <Answer conversation={conversation} newest_number={open.newest_number} />
      </div>
      <Announcer conversation={conversation} messages={messages} />
    </>
  )
}

/**
 * Marks the conversation as read once the user sees it: not while the tab is hidden, and not for new messages while
 * they have scrolled up. If it becomes unread without a new message, somebody marked it as unread on purpose, and it
 * stays so until it is opened again or a message arrives.
 */
function useReadMark(conversation: Conversation, isSettled: boolean, isAtBottom: boolean) {
  const { me } = useTeam()
  const unread = isUnread(conversation, me.id)
  const { id, last_number } = conversation
  const looked = useRef(-1)
  useEffect(() => {
    if (!unread) looked.current = last_number
    if (!unread || !isSettled || last_number <= looked.current) return
    if (looked.current !== -1 && !isAtBottom) return
    const mark = () => {
      if (document.hidden) return
      looked.current = last_number
      sendToTeam('read', { conversation_id: id })
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [unread, isSettled, isAtBottom, id, last_number])
}
