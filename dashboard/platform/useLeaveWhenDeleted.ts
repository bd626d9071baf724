import { useEffect } from 'react'
import { useNavigate } from 'react-router'

const PAUSE_MS = 1_000

/**
 * Goes from the page of a deleted item to its list, after a moment that shows that it is gone. Users who leave by
 * themselves are not sent back.
 */
export function useLeaveWhenDeleted(isDeleted: boolean, to: string) {
  const navigate = useNavigate()
  useEffect(() => {
    if (!isDeleted) return
    const timer = setTimeout(() => navigate(to), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isDeleted, to, navigate])
}
