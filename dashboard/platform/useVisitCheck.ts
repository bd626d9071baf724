import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

const ASK_EVERY_MS = 2_000
const GIVE_UP_MS = 10 * 60_000

/** Waits for a website to load our script: whether it is waiting, whether it was found, and how to start and stop. */
export interface VisitCheck<Data> {
  latest: Data | undefined
  isWaiting: boolean
  isFound: boolean
  start: () => void
  stop: () => void
}

/** Reads the latest visit and, once started, polls every two seconds until there is a newer one. */
export function useVisitCheck<Data, Key extends QueryKey>(
  query: UseQueryOptions<Data, Error, Data, Key>,
  /** The time of the visit, or null if there was none. */
  shownAt: (data: Data) => string | null,
): VisitCheck<Data> {
  const [waiting, setWaiting] = useState<{ since: string | null }>()
  const [isFound, setFound] = useState(false)
  const { data: latest } = useQuery({ ...query, refetchInterval: waiting ? ASK_EVERY_MS : false })
  const at = latest === undefined ? null : shownAt(latest)
  if (waiting && at && at !== waiting.since) {
    setWaiting(undefined)
    setFound(true)
  }
  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => setWaiting(undefined), GIVE_UP_MS)
    return () => clearTimeout(timer)
  }, [waiting])
  return {
    latest,
    isWaiting: !!waiting,
    isFound,
    start() {
      setFound(false)
      setWaiting({ since: at })
    },
    stop: () => setWaiting(undefined),
  }
}
