import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Navigate, useParams } from 'react-router'
import { isBucket, type View } from '../../features/conversations/conversations/views.ts'
import { inboxesQuery } from '../../features/widget/inboxes/queries.ts'
import { ConversationArea } from './ConversationArea.tsx'

/**
 * `/conversations/{bucket}/{id}`, `/inboxes/{inbox_id}/conversations/{id}` and `/teams/{team_id}/conversations/{id}`: the
 * address determines what is shown.
 */
export function ConversationsPage() {
  const { bucket, inbox_id, team_id, conversation_id } = useParams()
  // Loaded here for the sidebar, the titles and the empty states.
  useQuery(inboxesQuery)
  const view = useMemo(() => viewOf(bucket, inbox_id, team_id), [bucket, inbox_id, team_id])
  if (!view) return <Navigate to="/conversations/all" replace />
  return (
    <ConversationArea key={inbox_id || team_id ? 'inbox' : 'bucket'} view={view} conversation_id={conversation_id} />
  )
}

function viewOf(
  bucket: string | undefined,
  inbox_id: string | undefined,
  team_id: string | undefined,
): View | undefined {
  if (team_id) return { bucket: 'all', team_id }
  if (inbox_id) return { bucket: 'all', inbox_id }
  return isBucket(bucket) ? { bucket } : undefined
}
