import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { logError } from '../../platform/http/errors.ts'
import { signOut } from './sign-in.ts'

/** Ends the session, then shows the sign-in page with whatever the address says about the way back. */
export function LogOutPage() {
  const { search } = useLocation()
  const [isOut, setOut] = useState(false)
  useEffect(() => {
    signOut()
      .catch((error: unknown) => logError('Session not ended', error))
      .finally(() => setOut(true))
  }, [])
  return isOut ? <Navigate to={{ pathname: '/login', search }} replace /> : null
}
