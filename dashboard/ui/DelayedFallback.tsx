import { type ReactNode, useEffect, useState } from 'react'

/** Shows its content only after a noticeable wait. */
export function DelayedFallback({ ms = 150, children }: { ms?: number; children: ReactNode }) {
  return useDelayPassed(ms) ? children : null
}

/** When moving through a list, each item is open for less than this, so its data is not fetched. */
export const STAYING_MS = 250

/** Whether the component has been mounted for this time. */
export function useDelayPassed(ms = STAYING_MS): boolean {
  const [hasStayed, setStayed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setStayed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return hasStayed
}
