import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useMatch, useParams } from 'react-router'
import { isBucket, type View } from '../../features/conversations/conversations/views.ts'
import { viewsQuery } from '../../features/conversations/views/queries.ts'
import { inboxesQuery } from '../../features/widget/inboxes/queries.ts'
import { LoadFailed } from '../../ui/LoadFailed.tsx'
import { ConversationArea } from './ConversationArea.tsx'
import { PageBesideViews } from './views/PageBesideViews.tsx'

/**
 * `/conversations/{bucket}/{id}`, `/conversations/due/overdue/{id}`, `/conversations/views/{view_id}/{id}`, `/inboxes/{inbox_id}/conversations/{id}` and
 * `/teams/{team_id}/conversations/{id}`: the address determines what is shown.
 */
export function ConversationsPage() {
  const { bucket, view_id, inbox_id, team_id, conversation_id } = useParams()
  // Loaded here for the sidebar, the titles and the empty states.
  useQuery(inboxesQuery)
  const isOverdue = !!useMatch('/conversations/due/overdue/*')
  const view = useMemo(
    () => (isOverdue ? OVERDUE : viewOf(bucket, inbox_id, team_id)),
    [isOverdue, bucket, inbox_id, team_id],
  )
  if (view_id) return <SavedViewPage view_id={view_id} conversation_id={conversation_id} />
  if (!view) return <Navigate to="/conversations/all" replace />
  return (
    <ConversationArea key={inbox_id || team_id ? 'inbox' : 'bucket'} view={view} conversation_id={conversation_id} />
  )
}

const OVERDUE: View = { bucket: 'due', is_overdue: true }

function viewOf(
  bucket: string | undefined,
  inbox_id: string | undefined,
  team_id: string | undefined,
): View | undefined {
  if (team_id) return { bucket: 'all', team_id }
  if (inbox_id) return { bucket: 'all', inbox_id }
  return isBucket(bucket) ? { bucket } : undefined
}

interface SavedProps {
  view_id: string
  conversation_id: string | undefined
}

/** The conversations of a saved view, once it is known what it shows. It may have been deleted meanwhile. */
function SavedViewPage({ view_id, conversation_id }: SavedProps) {
  const { t } = useTranslation()
  const views = useQuery(viewsQuery)
  const saved = views.data?.find(({ id }) => id === view_id)
  const view = useMemo((): View | undefined => {
    if (!saved) return undefined
    const { id, conditions, sort } = saved
    return { bucket: 'all', saved: { id, conditions, sort } }
  }, [saved])
  if (view) return <ConversationArea key="saved" view={view} conversation_id={conversation_id} />
  if (views.isPending) return null
  return (
    <PageBesideViews title={t('views.saved')} text={views.isError ? '' : t('views.not_found')}>
      {views.isError && (
        <LoadFailed
          title={t('views.failed')}
          text={views.error.message || t('list.unknown_error')}
          retryLabel={t('retry')}
          retry={views.refetch}
        />
      )}
    </PageBesideViews>
  )
}
