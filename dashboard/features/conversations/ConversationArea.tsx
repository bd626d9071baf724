import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Conversation } from '#contract/conversations.ts'
import { useTeam } from '../accounts/account.ts'
import { threadQuery } from '../messages/thread.ts'
import { useConversationActions } from './actions.ts'
import styles from './ConversationArea.module.css'
import { ConversationList } from './ConversationList.tsx'
import { ConversationPane } from './ConversationPane.tsx'
import { listQuery, pruneLists } from './cache.ts'
import { NothingSelected } from './NothingSelected.tsx'
import { useShortcuts } from './useShortcuts.ts'
import { ViewsBar } from './ViewsBar.tsx'
import { setViewed } from './viewing.ts'
import { neighbourOf, pathOfView, type View } from './views.ts'

interface AreaProps {
  view: View
  conversation_id: string | undefined
  search: (q: string) => void
}

/** The inbox: views, list, conversation. On phones one of them at a time. */
export function ConversationArea({ view, conversation_id, search }: AreaProps) {
  const client = useQueryClient()
  const { me } = useTeam()
  const list = useQuery(listQuery(client, view, me.id))
  const [details, setDetails] = useState(false)
  const isEmpty = list.isError || list.data?.conversations.length === 0
  const { close, archive } = useWalk(view, list.data?.conversations ?? [], conversation_id)
  useViewed(conversation_id)
  return (
    <main className={styles.area} data-pane={conversation_id ? 'conversation' : isEmpty ? 'empty' : 'list'}>
      <div className={styles.views}>
        <ViewsBar />
      </div>
      <ConversationList view={view} list={list} selected_id={conversation_id} search={search} />
      <div className={styles.pane}>
        {conversation_id ? (
          <ConversationPane
            key={conversation_id}
            id={conversation_id}
            back={pathOfView(view)}
            details={details}
            showDetails={setDetails}
            close={close}
            archive={archive}
          />
        ) : (
          <NothingSelected view={view} list={list} />
        )}
      </div>
    </main>
  )
}

/** Walking through a list, by keys and by finishing one conversation after the other. */
function useWalk(view: View, conversations: Conversation[], selected_id: string | undefined) {
  const navigate = useNavigate()
  const actions = useConversationActions()
  const at = conversations.findIndex(({ id }) => id === selected_id)
  const select = (id: string | undefined) => navigate(pathOfView(view, id))
  const leave = () => {
    if (selected_id) select(neighbourOf(conversations, selected_id)?.id)
  }
  const close = (id: string) => {
    leave()
    actions.close(id)
  }
  const archive = (id: string) => {
    leave()
    actions.archive(id)
  }
  useLoadedAhead(at === -1 ? [] : [conversations[at - 1]?.id, conversations[at + 1]?.id])
  useShortcuts({ ...actions, conversations, select, close })
  return { close, archive }
}

/** What is on screen stays in its list; what was on screen may leave. */
function useViewed(conversation_id: string | undefined) {
  const client = useQueryClient()
  const { me } = useTeam()
  useEffect(() => {
    setViewed(conversation_id)
    pruneLists(client, me.id)
    return () => setViewed(undefined)
  }, [client, conversation_id, me.id])
}

/** Loads the conversations above and below, so that going there shows them at once. */
function useLoadedAhead(ids: (string | undefined)[]) {
  const client = useQueryClient()
  const key = ids.join()
  useEffect(() => {
    for (const id of key.split(',').filter(Boolean)) client.prefetchQuery(threadQuery(client, id))
  }, [client, key])
}
