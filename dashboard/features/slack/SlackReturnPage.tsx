import { Navigate, useParams, useSearchParams } from 'react-router'
import { FinishOAuth, useIsReturn } from '../oauth/FinishOAuth.tsx'

/** Where browsers come back to from Slack. Links with a type alone lead to its page. */
export function SlackReturnPage() {
  const { inbox_id } = useParams()
  const [query] = useSearchParams()
  const isReturn = useIsReturn()
  if (isReturn) return <FinishOAuth />
  const [type = '', named] = (query.get('type') ?? query.get('state') ?? '').split(':')
  const inbox = inbox_id ?? query.get('inbox_id') ?? named
  if (type !== 'reply' && type !== 'support') return <Navigate to="/integrations" replace />
  return <Navigate to={`${inbox ? `/inboxes/${inbox}` : ''}/integrations/slack/${type}`} replace />
}
