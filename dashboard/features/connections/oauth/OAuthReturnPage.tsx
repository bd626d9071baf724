import { Navigate, useLocation, useParams, useSearchParams } from 'react-router'
import { FinishOAuth, useIsReturn } from './FinishOAuth.tsx'

/**
 * The redirect target of consent pages. Without a result it redirects to the integration's page, with all that the
 * address says besides.
 */
export function OAuthReturnPage() {
  const { inbox_id, type } = useParams()
  const [query] = useSearchParams()
  // Not the browser's, which has changed already while the page that this leads to is loaded.
  const { pathname } = useLocation()
  const isReturn = useIsReturn()
  if (isReturn) return <FinishOAuth />
  const vendor = type ?? pathname.split('/').at(-1)
  return <Navigate to={vendor === 'google' ? googlePage(query, inbox_id) : slackPage(query, inbox_id)} replace />
}

/** Google's pages by the scope that was asked for. */
function googlePage(query: URLSearchParams, inbox_id: string | undefined): string {
  const scope = query.get('scope') ?? ''
  if (scope.includes('gmail.modify')) return `${below(inbox_id)}/integrations/google/gmail?${query}`
  return scope.includes('spreadsheets') ? `/integrations/google/sheets?${query}` : '/integrations'
}

/** Slack's pages by `type`, or by `state`: a type and an inbox. */
function slackPage(query: URLSearchParams, inbox_id: string | undefined): string {
  const [type = '', named] = (query.get('type') ?? query.get('state') ?? '').split(':')
  if (type !== 'reply' && type !== 'support') return '/integrations'
  const inbox = inbox_id ?? query.get('inbox_id') ?? named
  const others = new URLSearchParams([...query].filter(([name]) => !/^(type|state|inbox_id)$/.test(name)))
  return `${below(inbox)}/integrations/slack/${type}${others.size > 0 ? `?${others}` : ''}`
}

function below(inbox_id: string | undefined): string {
  return inbox_id ? `/inboxes/${inbox_id}` : ''
}
