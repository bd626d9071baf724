import { type ReactNode, useEffect, useState } from 'react'

/** Shows what is inside only when waiting takes long enough to be noticed. */
export function Later({ ms = 150, children }: { ms?: number; children: ReactNode }) {
  return useStayed(ms) ? children : null
}

/** Whether somebody has stayed here for so long. */
export function useStayed(ms: number): boolean {
  const [hasStayed, setStayed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setStayed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return hasStayed
}
