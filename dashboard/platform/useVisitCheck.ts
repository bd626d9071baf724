import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

const ASK_EVERY_MS = 2_000
const GIVE_UP_MS = 10 * 60_000

/** Waiting until a website shows itself: whether it goes on, whether something came of it, and how it begins and ends. */
export interface VisitCheck<Data> {
  latest: Data | undefined
  isWaiting: boolean
  isFound: boolean
  start: () => void
  stop: () => void
}

/** Reads what a website showed last and, when asked, reads it again every two seconds until there is something newer. */
export function useVisitCheck<Data, Key extends QueryKey>(
  query: UseQueryOptions<Data, Error, Data, Key>,
  /** When it was shown, or null where nothing ever was. */
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
