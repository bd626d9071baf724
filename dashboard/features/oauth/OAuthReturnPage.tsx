import { Navigate, useParams, useSearchParams } from 'react-router'
import { FinishOAuth, useIsReturn } from './FinishOAuth.tsx'

/** Where browsers come back to from consent pages. For anybody else there is only the way on. */
export function OAuthReturnPage() {
  const { inbox_id } = useParams()
  const [query] = useSearchParams()
  const isReturn = useIsReturn()
  if (isReturn) return <FinishOAuth />
  // Links that name a kind of Slack, and perhaps an inbox.
  const [type = '', named] = (query.get('type') ?? query.get('state') ?? '').split(':')
  const inbox = inbox_id ?? query.get('inbox_id') ?? named
  if (type !== 'reply' && type !== 'support') return <Navigate to="/integrations" replace />
  return <Navigate to={`${inbox ? `/inboxes/${inbox}` : ''}/integrations/slack/${type}`} replace />
}
