import { Navigate } from 'react-router'
import { FinishOAuth, useIsReturn } from './FinishOAuth.tsx'

/** Where browsers come back to from consent pages. There is nothing to see for anybody else. */
export function OAuthReturnPage() {
  return useIsReturn() ? <FinishOAuth /> : <Navigate to="/integrations" replace />
}
