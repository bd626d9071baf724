import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { logError } from '../../../platform/http/errors.ts'
import { signOut } from './sign-in.ts'

/** Signs out, then shows the sign-in page. The address keeps its `redirect` parameter. */
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
