import { type RefObject, useEffect, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { dayTitle } from '../../../platform/times.ts'
import type { Entry } from './entries.ts'
import styles from './ThreadScroll.module.css'

/** A thread that is no longer than this shows where its days begin all the same. */
const SCREENS = 2
/** How far below the upper edge a line has to begin to be read as the first one, in pixels. */
const EDGE = 24

interface StickyDayProps {
  scroller: RefObject<HTMLDivElement | null>
  list: RefObject<VirtualizerHandle | null>
  entries: readonly Entry[]
}

/** In a long thread, the day of what stands at the upper edge. Screen readers meet the day in the thread itself. */
export function StickyDay({ scroller, list, entries }: StickyDayProps) {
  const [day, setDay] = useState<string>()
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => setDay(list.current ? dayAtEdge(element, list.current, entries) : undefined)
    look()
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [scroller, list, entries])
  if (!day) return null
  return (
    <div className={styles.day} aria-hidden="true">
      {dayTitle(day)}
    </div>
  )
}

/** Nothing where the line of the day itself is in view there. */
function dayAtEdge(
  { scrollTop, scrollHeight, clientHeight }: HTMLElement,
  list: VirtualizerHandle,
  entries: readonly Entry[],
): string | undefined {
  if (scrollHeight < SCREENS * clientHeight || scrollTop <= 0) return undefined
  const first = list.findItemIndex(list.scrollOffset + EDGE)
  if (entries[first]?.type === 'day') return undefined
  const entry = entries.slice(0, first + 1).findLast(({ type }) => type === 'day')
  return entry?.type === 'day' ? entry.at : undefined
}
