import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Navigate, useLocation, useParams } from 'react-router'
import { inboxesQuery } from '../inboxes/inboxes.ts'
import { ConversationArea } from './ConversationArea.tsx'
import { isBucket, type View } from './views.ts'

/** `/conversations/{bucket}/{id}` and `/inboxes/{inbox_id}/conversations/{id}`: the address says what is on screen. */
export function ConversationsPage() {
  const { bucket, inbox_id, conversation_id } = useParams()
  const { pathname } = useLocation()
  // Loaded here for the sidebar, the titles and the empty states alike.
  useQuery(inboxesQuery)
  const [search, setSearch] = useState({ base: '', q: '' })
  const base = inbox_id ? `/inboxes/${inbox_id}` : `/conversations/${bucket}`
  const q = search.base === base ? search.q : ''
  const view = useMemo(() => viewOf(bucket, inbox_id, q), [bucket, inbox_id, q])
  if (!view) return <Navigate to="/conversations/all" replace />
  return (
    <ConversationArea
      key={pathname.startsWith('/inboxes') ? 'inbox' : 'bucket'}
      view={view}
      conversation_id={conversation_id}
      search={(text) => setSearch({ base, q: text })}
    />
  )
}

function viewOf(bucket: string | undefined, inbox_id: string | undefined, q: string): View | undefined {
  const search = q ? { q } : {}
  if (inbox_id) return { bucket: 'all', inbox_id, ...search }
  return isBucket(bucket) ? { bucket, ...search } : undefined
}
