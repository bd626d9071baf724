import { useEffect } from 'react'
import { useNavigate } from 'react-router'

const PAUSE_MS = 1_000

/**
 * Leads from the page of something that was just deleted to the list it stood in, after a moment in which one sees that
 * it is gone. Whoever leaves by themselves meanwhile is not called back.
 */
export function useLeaveWhenGone(isGone: boolean, to: string) {
  const navigate = useNavigate()
  useEffect(() => {
    if (!isGone) return
    const timer = setTimeout(() => navigate(to), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isGone, to, navigate])
}
