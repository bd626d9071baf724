import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { useTeam } from '../../features/accounts/accounts/account.ts'
import { listQuery, loadMore, pruneLists } from '../../features/conversations/conversations/cache.ts'
import { useReading } from '../../features/conversations/conversations/reading.ts'
import { setViewed } from '../../features/conversations/conversations/viewing.ts'
import {
  isAllDone,
  type ConversationList as List,
  pathOfView,
  type View,
} from '../../features/conversations/conversations/views.ts'
import { threadQuery } from '../../features/conversations/messages/thread.ts'
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx'
import { sendViewing } from '../../platform/realtime/connection.ts'
import { STAYING_MS } from '../../ui/DelayedFallback.tsx'
import { ThreadSkeleton } from '../../ui/Skeleton.tsx'
import styles from './ConversationArea.module.css'
import { ConversationList } from './list/ConversationList.tsx'
import { useSelection } from './list/selection.ts'
import { NothingSelected } from './NothingSelected.tsx'
import { useInboxCommands } from './useInboxCommands.ts'
import { ViewsBar } from './views/ViewsBar.tsx'

/** How many conversations before the end of the list the next page is loaded. */
const NEAR_END = 5
const NOTHING: Conversation[] = []

const loadPane = () => import('./conversation/ConversationPane.tsx')
const ConversationPane = lazyComponent(async () => (await loadPane()).ConversationPane)

interface AreaProps {
  view: View
  conversation_id: string | undefined
}

/** The inbox: views, list, conversation. Phones show one of them at a time. */
export function ConversationArea({ view, conversation_id }: AreaProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { me } = useTeam()
  const list = useQuery(listQuery(client, view, me.id))
  const [details, setDetails] = useState(false)
  const isEmpty = list.isError || isAllDone(list.data)
  const conversations = list.data?.conversations ?? NOTHING
  const selection = useSelection(view, conversations)
  const commands = useInboxCommands(view, selection)
  useNeighboursLoaded(conversations, conversation_id)
  useNextPageLoaded(view, me.id, list.data, conversation_id)
  useViewed(conversation_id)
  useReading(conversation_id)
  useEffect(() => {
    // Loaded after the list, so that it is ready when a conversation is opened. If this fails, opening one tries again.
    loadPane().catch(() => undefined)
  }, [])
  return (
    <main className={styles.area} data-pane={conversation_id ? 'conversation' : isEmpty ? 'empty' : 'list'}>
      <div className={styles.views}>
        <ViewsBar />
      </div>
      <ConversationList
        view={view}
        list={list}
        selected_id={conversation_id}
        selection={selection}
        commands={commands}
      />
      <div className={styles.pane}>
        {conversation_id ? (
          <Suspense fallback={<ThreadSkeleton label={t('loading')} />}>
            <ConversationPane
              id={conversation_id}
              back={pathOfView(view)}
              details={details}
              showDetails={setDetails}
              commands={commands}
            />
          </Suspense>
        ) : (
          <NothingSelected view={view} list={list} />
        )}
      </div>
    </main>
  )
}

/** Keeps the open conversation in its list, and removes the previous one if it no longer belongs there. */
function useViewed(conversation_id: string | undefined) {
  const client = useQueryClient()
  const { me } = useTeam()
  useEffect(() => {
    setViewed(conversation_id)
    pruneLists(client, me.id)
    return () => setViewed(undefined)
  }, [client, conversation_id, me.id])
  useEffect(() => {
    // Not announced while moving through the list quickly, or while the tab is hidden.
    const update = () => sendViewing(document.hidden ? null : (conversation_id ?? null))
    const timer = setTimeout(update, STAYING_MS)
    document.addEventListener('visibilitychange', update)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [conversation_id])
  useEffect(() => () => sendViewing(null), [])
}

/** Preloads the conversations above and below, so that they show at once. */
function useNeighboursLoaded(conversations: Conversation[], selected_id: string | undefined) {
  const client = useQueryClient()
  const at = conversations.findIndex(({ id }) => id === selected_id)
  const key = at === -1 ? '' : [conversations[at - 1]?.id, conversations[at + 1]?.id].join()
  useEffect(() => {
    for (const id of key.split(',').filter(Boolean)) client.prefetchQuery(threadQuery(client, id))
  }, [client, key])
}

/** Loads the next page when the selection nears the end of the list, or the last conversation was closed. */
function useNextPageLoaded(view: View, user_id: number, list: List | undefined, selected_id: string | undefined) {
  const client = useQueryClient()
  const isNearEnd =
    list?.conversations.length === 0 || !!list?.conversations.slice(-NEAR_END).some(({ id }) => id === selected_id)
  const nextCursor = isNearEnd ? list?.next : null
  useEffect(() => {
    // If it fails, the button below the list shows the error and tries again.
    if (nextCursor) loadMore(client, view, user_id).catch(() => undefined)
  }, [client, nextCursor, view, user_id])
}
