import { useEffect, useState } from 'react'

/**
 * Loads a part of the window when it is first wanted, and keeps it. If loading fails, it is tried again when the
 * network returns.
 */
export function useLazy<Part>(isWanted: boolean, bring: () => Promise<Part>): Part | undefined {
  const [brought, setBrought] = useState<{ part: Part }>()
  useEffect(() => {
    if (!isWanted || brought) return
    let isOver = false
    const ask = () =>
      bring().then(
        (part) => !isOver && setBrought({ part }),
        () => undefined,
      )
    void ask()
    addEventListener('online', ask)
    return () => {
      isOver = true
      removeEventListener('online', ask)
    }
  }, [isWanted, brought, bring])
  return brought?.part
}
