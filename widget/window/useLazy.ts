import { useEffect, useState } from 'react'

const RETRY_MS = 3_000

/**
 * Loads a part of the window when it is first wanted, and keeps it. If loading fails, it is tried again a moment later,
 * and at once when the network returns.
 */
export function useLazy<Part>(isWanted: boolean, load: () => Promise<Part>): Part | undefined {
  const [loaded, setLoaded] = useState<{ part: Part }>()
  useEffect(() => {
    if (!isWanted || loaded) return
    let isStopped = false
    let timer: ReturnType<typeof setTimeout>
    const attempt = () => {
      clearTimeout(timer)
      load().then(
        (part) => !isStopped && setLoaded({ part }),
        () => {
          if (!isStopped) timer = setTimeout(attempt, RETRY_MS)
        },
      )
    }
    attempt()
    addEventListener('online', attempt)
    return () => {
      isStopped = true
      clearTimeout(timer)
      removeEventListener('online', attempt)
    }
  }, [isWanted, loaded, load])
  return loaded?.part
}
