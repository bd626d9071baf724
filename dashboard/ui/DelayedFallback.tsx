import { type ReactNode, useEffect, useState } from 'react'

/** Shows what is inside only when waiting takes long enough to be noticed. */
export function DelayedFallback({ ms = 150, children }: { ms?: number; children: ReactNode }) {
  return useDelayPassed(ms) ? children : null
}

/** Somebody who moves through a list stays for less than this, so nothing is fetched that they will not read. */
export const STAYING_MS = 250

/** Whether the component has been mounted for so long. */
export function useDelayPassed(ms = STAYING_MS): boolean {
  const [hasStayed, setStayed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setStayed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return hasStayed
}
