import { useEffect, useState } from 'react'

/**
 * A part of the window that comes when it is first wanted and then stays. When it cannot be had, it is asked for again
 * once the network is back.
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
