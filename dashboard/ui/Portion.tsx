import { useState } from 'react'
import { Button } from './Button.tsx'

/** More rows than fit on a screen, but few enough to render at once. */
const FIRST = 50

/**
 * The first items of a long list, because rendering thousands of rows takes seconds. Each time more are wanted, twice
 * as many are shown.
 */
export function usePortion<Item>(items: readonly Item[], first = FIRST) {
  const [count, setCount] = useState(first)
  return {
    shown: items.slice(0, count),
    remaining: Math.max(items.length - count, 0),
    showMore: () => setCount(2 * count),
  }
}

interface MoreProps {
  /** How many are not shown; for zero there is no button. */
  remaining: number
  label: string
  showMore: () => void
}

/** Below the shown items: how many are left, and a button to show more. */
export function ShowMore({ remaining, label, showMore }: MoreProps) {
  if (remaining === 0) return null
  return (
    <Button block variant="text" onClick={showMore}>
      {label}
    </Button>
  )
}
