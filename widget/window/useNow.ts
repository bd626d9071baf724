import { useEffect, useState } from 'react'

/** The current time in epoch milliseconds, updated at this interval; undefined stops the updates. */
export function useNow(everyMs: number | undefined): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!everyMs) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
