import { useState } from 'react'
import { Button } from './Button.tsx'

/** More rows than fit on a screen, and few enough to be drawn at once. */
const FIRST = 50

/**
 * A long list as much of which is drawn as was asked for: thousands of rows keep a page busy for seconds, and nobody
 * reads them. Asked for more, it shows twice as many.
 */
export function usePortion<Item>(items: readonly Item[], first = FIRST) {
  const [count, setCount] = useState(first)
  return {
    shown: items.slice(0, count),
    rest: Math.max(items.length - count, 0),
    showMore: () => setCount(2 * count),
  }
}

interface MoreProps {
  /** How many are not drawn yet; with none, no button is shown. */
  rest: number
  label: string
  showMore: () => void
}

/** Below a portion: how much is left, and the way to it. */
export function ShowMore({ rest, label, showMore }: MoreProps) {
  if (rest === 0) return null
  return (
    <Button block variant="text" onClick={showMore}>
      {label}
    </Button>
  )
}
