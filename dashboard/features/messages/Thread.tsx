import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ThreadSkeleton } from '../../ui/Skeleton.tsx'
import { useTeam } from '../accounts/account.ts'
import { entriesOf } from './entries.ts'
import type { Thread as Loaded } from './live.ts'
import { useUnsent } from './sending.ts'
import { ThreadScroll } from './ThreadScroll.tsx'

interface ThreadProps {
  conversation: Conversation
  thread: UseQueryResult<Loaded>
}

/** What was said in a conversation. */
export function Thread({ conversation, thread }: ThreadProps) {
  const { t } = useTranslation()
  const { me } = useTeam()
  const unsent = useUnsent(conversation.id)
  const entries = useMemo(
    () => thread.data && entriesOf(thread.data.messages, unsent, me.id),
    [thread.data, unsent, me.id],
  )
  if (entries && thread.data) {
    return <ThreadScroll conversation={conversation} entries={entries} hasOlder={thread.data.next !== null} />
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
