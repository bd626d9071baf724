import { useEffect, useState } from 'react'

/**
 * Loads a part of the window when it is first wanted, and keeps it. If loading fails, it is tried again when the
 * network returns.
 */
export function useLazy<Part>(isWanted: boolean, load: () => Promise<Part>): Part | undefined {
  const [loaded, setLoaded] = useState<{ part: Part }>()
  useEffect(() => {
    if (!isWanted || loaded) return
    let isOver = false
    const attempt = () =>
      load().then(
        (part) => !isOver && setLoaded({ part }),
        () => undefined,
      )
    void attempt()
    addEventListener('online', attempt)
    return () => {
      isOver = true
      removeEventListener('online', attempt)
    }
  }, [isWanted, loaded, load])
  return loaded?.part
}
