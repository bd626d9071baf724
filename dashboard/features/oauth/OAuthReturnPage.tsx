import { Navigate, useParams, useSearchParams } from 'react-router'
import { FinishOAuth, useIsReturn } from './FinishOAuth.tsx'

/** The redirect target of consent pages. Without a result it redirects to the integration's page. */
export function OAuthReturnPage() {
  const { inbox_id } = useParams()
  const [query] = useSearchParams()
  const isReturn = useIsReturn()
  if (isReturn) return <FinishOAuth />
  // Links may name a Slack type, and an inbox.
  const [type = '', named] = (query.get('type') ?? query.get('state') ?? '').split(':')
  const inbox = inbox_id ?? query.get('inbox_id') ?? named
  if (type !== 'reply' && type !== 'support') return <Navigate to="/integrations" replace />
  return <Navigate to={`${inbox ? `/inboxes/${inbox}` : ''}/integrations/slack/${type}`} replace />
}
