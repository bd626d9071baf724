import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type NavigateFunction, useLocation, useNavigate, useSearchParams } from 'react-router'
import { SIGN_IN_FAILURES } from '#contract/accounts/oidc.ts'
import { credentialsErrorText, logError } from '../../../platform/http/errors.ts'
import { ApiError } from '../../../platform/http/request.ts'
import { safeRedirect } from './auth-checks.ts'
import { finishSignIn, signIn } from './sign-in.ts'

/** Sign-in with email and password, then a code for users with a second factor. */
export function useSignIn() {
  const openRequested = useOpenRequested()
  const [fields, setFields] = useState({ email: '', password: '', code: '' })
  const [asksForCode, setAsksForCode] = useState(false)
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<string>()

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (sending) return
    setSending(true)
    setError(undefined)
    try {
      await signIn(fields.email, fields.password, asksForCode ? fields.code : undefined)
      openRequested()
    } catch (refusal) {
      if (refusal instanceof ApiError && refusal.reason === 'two_factor_required') setAsksForCode(true)
      else {
        logError('Sign-in refused', refusal)
        setError(credentialsErrorText(refusal))
      }
      setSending(false)
    }
  }
  const change = (changes: Partial<typeof fields>) => setFields((before) => ({ ...before, ...changes }))
  return { fields, change, asksForCode, sending, error, submit }
}

/** The return from the identity provider. The fragment holds a one-time token, or the reason of a failure. */
export function useReturn() {
  const openRequested = useOpenRequested()
  const { hash } = useLocation()
  const [failure, setFailure] = useState<string>()
  const { t } = useTranslation()
  const fragment = new URLSearchParams(hash.slice(1))
  const token = fragment.get('oidc')
  // The fragment can be forged, so it only selects one of our own messages and is never shown.
  const reason = SIGN_IN_FAILURES.find((code) => code === fragment.get('failure'))
  useEffect(() => {
    if (!token) return
    finishSignIn(token)
      .then(openRequested)
      .catch((refusal) => {
        logError('Sign-in refused', refusal)
        setFailure(credentialsErrorText(refusal))
      })
  }, [token, openRequested])
  return { isReturning: !!token && !failure, failure: failure ?? (reason && t(`auth.failures.${reason}`)) }
}

function useOpenRequested() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const redirect = params.get('redirect')
  const [openRequested] = useState(() => () => {
    openAfterSignIn(navigate, redirect, '/conversations')
  })
  return openRequested
}

/** Opens the page that was asked for before signing in, or another one. */
function openAfterSignIn(navigate: NavigateFunction, redirect: string | null, otherwise: string): void {
  const path = safeRedirect(redirect, otherwise)
  // Browsers show that page's cookie only to a document that was loaded from there.
  if (path.startsWith('/widget/')) location.replace(path)
  else navigate(path, { replace: true })
}
