import { type RefObject, useEffect, useState } from 'react'
import { dayTitle } from '../../../../platform/times.ts'
import type { VirtualLinesHandle } from '../../../../ui/VirtualList.tsx'
import type { Entry } from './entries.ts'
import styles from './ThreadScroll.module.css'

/** Shorter threads, in screen heights, need no sticky day. */
const SCREENS = 2
/** A line counts as the first visible one if it begins at most this far below the upper edge, in pixels. */
const EDGE = 24

interface StickyDayProps {
  scroller: RefObject<HTMLDivElement | null>
  list: RefObject<VirtualLinesHandle | null>
  entries: readonly Entry[]
}

/**
 * In long threads, the day of the first visible line. Hidden from screen readers, which find the days in the thread.
 */
export function StickyDay({ scroller, list, entries }: StickyDayProps) {
  const [day, setDay] = useState<string>()
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const update = () => setDay(list.current ? dayAtEdge(element, list.current, entries) : undefined)
    update()
    element.addEventListener('scroll', update, { passive: true })
    return () => element.removeEventListener('scroll', update)
  }, [scroller, list, entries])
  if (!day) return null
  return (
    <div className={styles.day} aria-hidden="true">
      {dayTitle(day)}
    </div>
  )
}

/** Undefined where the day's own line is visible there. */
function dayAtEdge(
  { scrollTop, scrollHeight, clientHeight }: HTMLElement,
  list: VirtualLinesHandle,
  entries: readonly Entry[],
): string | undefined {
  if (scrollHeight < SCREENS * clientHeight || scrollTop <= 0) return undefined
  const first = list.findItemIndex(list.scrollOffset + EDGE)
  if (entries[first]?.type === 'day') return undefined
  const entry = entries.slice(0, first + 1).findLast(({ type }) => type === 'day')
  return entry?.type === 'day' ? entry.at : undefined
}
