import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { signOut } from '../features/accounts/auth-sessions/sign-in.ts'

/** Signs out and goes to the sign-in page. */
export function useLogOut() {
  const navigate = useNavigate()
  return useCallback(async () => {
    await signOut()
    navigate('/login', { replace: true })
  }, [navigate])
}
