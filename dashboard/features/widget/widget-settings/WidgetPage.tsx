import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, useLocation, useParams } from 'react-router'
import { accounts } from '#contract/accounts/accounts.ts'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { storeNextAddress } from '../../../platform/session/cookies.ts'
import {
  CallContext,
  callWithCookie,
  reactionTo,
  readCookieToken,
} from '../../../platform/session/widget-page-session.ts'
import { accountQuery, meQuery, TeamContext } from '../../accounts/accounts/account.ts'
import { SettingsPlaceholder } from './SettingsPlaceholder.tsx'
import { useWidgetSettings } from './useWidgetSettings.ts'
import { WidgetSettingsScreen } from './WidgetSettingsScreen.tsx'

/**
 * The settings of an inbox's chat window as a page without the frame, for users with a token in a cookie. Others are
 * sent to the sign-in page, and return afterwards.
 */
export function WidgetPage() {
  const { inbox_id = '' } = useParams()
  const [isKnown] = useState(() => !!readCookieToken())
  if (!isKnown) return <LeaveTo to="/login" />
  return (
    <CallContext value={callWithCookie}>
      <Opened key={inbox_id} inbox_id={inbox_id} />
    </CallContext>
  )
}

function Opened({ inbox_id }: { inbox_id: string }) {
  const me = useQuery({
    queryKey: meQuery.queryKey,
    queryFn: async ({ signal }) => (await callWithCookie(authSessions.me, { signal })).data,
  })
  const account = useQuery({
    queryKey: accountQuery.queryKey,
    queryFn: async ({ signal }) => (await callWithCookie(accounts.mine, { signal })).data,
  })
  const { loaded, error: refusal, retry } = useWidgetSettings(inbox_id)
  const error = me.error ?? account.error ?? refusal
  if (me.data && account.data && loaded) {
    return (
      <TeamContext value={{ me: me.data, account: account.data }}>
        <div style={{ display: 'flex', height: '100dvh' }}>
          <WidgetSettingsScreen {...loaded} />
        </div>
      </TeamContext>
    )
  }
  if (!error) return <SettingsPlaceholder />
  if (reactionTo(error) === 'leave') return <LeaveTo to="/logout" />
  const again = () => Promise.all([me.refetch(), account.refetch(), retry()])
  return <SettingsPlaceholder failure={error.message} retry={again} />
}

/** Goes to the sign-in or sign-out page, and stores the address to return to. */
function LeaveTo({ to }: { to: '/login' | '/logout' }) {
  const { pathname, search } = useLocation()
  useState(() => storeNextAddress())
  return <Navigate to={`${to}?redirect=${encodeURIComponent(pathname + search)}`} replace />
}
