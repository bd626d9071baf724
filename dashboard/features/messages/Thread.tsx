import { Button } from 'antd'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ThreadSkeleton } from '../../ui/Skeleton.tsx'
import { useTeam } from '../accounts/account.ts'
import { entriesOf } from './entries.ts'
import { usePageVisits } from './page-visits.ts'
import { useUnsent } from './sending.ts'
import { ThreadScroll } from './ThreadScroll.tsx'
import type { OpenThread } from './useOpenThread.ts'

interface ThreadProps {
  conversation: Conversation
  open: OpenThread
}

/** What was said in a conversation. */
export function Thread({ conversation, open }: ThreadProps) {
  const { t } = useTranslation()
  const { me } = useTeam()
  const unsent = useUnsent(conversation.id)
  const visits = usePageVisits(conversation.customer)
  const { thread, unread, place, toNewest } = open
  const isAtEnd = thread.data?.previous === null
  const entries = useMemo(
    () => thread.data && entriesOf(thread.data.messages, isAtEnd ? unsent : [], me.id, unread, isAtEnd ? visits : []),
    [thread.data, unsent, me.id, isAtEnd, unread, visits],
  )
  // Whoever sends something looks at where it goes.
  const isAway = !!thread.data && !isAtEnd && unsent.length > 0
  useEffect(() => {
    if (isAway) toNewest()
  }, [isAway, toNewest])
  if (entries && thread.data && unread !== undefined) {
    return <ThreadScroll key={place} conversation={conversation} entries={entries} thread={thread.data} open={open} />
  }
  if (!thread.isError) return <ThreadSkeleton label={t('loading')} />
  return (
    <EmptyState
      alert
      drawing="apart"
      title={t('thread.failed')}
      text={thread.error.message}
      action={<Button onClick={() => thread.refetch()}>{t('retry')}</Button>}
    />
  )
}
