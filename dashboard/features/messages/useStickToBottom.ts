import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { Entry } from './entries.ts'

/** How near the bottom counts as reading the newest message, in pixels. */
const NEAR_BOTTOM = 80

/**
 * Keeps the newest message in view for whoever is reading it, however the thread or its frame grows, and leaves alone
 * whoever has scrolled up. One's own message always comes into view.
 */
export function useStickToBottom(
  scroller: RefObject<HTMLDivElement | null>,
  list: RefObject<VirtualizerHandle | null>,
  entries: Entry[],
) {
  const [isThere, setThere] = useState(true)
  const sticks = useRef(true)
  const count = entries.length
  const lastKey = entries.at(-1)?.key
  const isOwn = entries.at(-1)?.type === 'outgoing'

  const go = useCallback(() => {
    sticks.current = true
    setThere(true)
    list.current?.scrollToIndex(count - 1, { align: 'end' })
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }, [list, scroller, count])

  const onScroll = () => {
    const element = scroller.current
    if (!element) return
    sticks.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_BOTTOM
    setThere(sticks.current)
  }

  useLayoutEffect(() => {
    if (lastKey && (sticks.current || isOwn)) go()
  }, [lastKey, isOwn, go])

  useKeptBottom(scroller, sticks)
  return { isThere, go, onScroll }
}

/** Stays at the bottom while lines are measured after they appear, and while the composer below grows. */
function useKeptBottom(scroller: RefObject<HTMLDivElement | null>, sticks: RefObject<boolean>) {
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    // Reachable by keyboard, so that arrow keys scroll it.
    element.tabIndex = 0
    const observer = new ResizeObserver(() => {
      if (sticks.current) element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [scroller, sticks])
}
