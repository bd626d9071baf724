import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { Entry } from './entries.ts'

/** How near the bottom counts as reading the newest message, in pixels. */
const NEAR_BOTTOM = 80
/** The line that tells who types, in pixels. */
const BELOW_LAST = 28
/** How much of what came before is shown above the line at which a thread begins, in pixels. */
const ABOVE_START = 120

/**
 * Keeps the newest message in view for whoever is reading it, however the thread or its frame grows, and leaves alone
 * whoever has scrolled up. One's own message always comes into view. A thread that opens at `start`, a line that was
 * looked for or the first unread one, begins there; where the newest message is not loaded there is no bottom to keep.
 */
export function useStickToBottom(
  scroller: RefObject<HTMLDivElement | null>,
  list: RefObject<VirtualizerHandle | null>,
  entries: Entry[],
  { isAtEnd, start }: { isAtEnd: boolean; start: string | undefined },
) {
  const startsBelow = start === undefined && isAtEnd
  const [isThere, setThere] = useState(startsBelow)
  const sticks = useRef(startsBelow)
  const count = entries.length
  const lastKey = entries.at(-1)?.key
  const isOwn = entries.at(-1)?.type === 'outgoing'

  const go = useCallback(() => {
    sticks.current = true
    setThere(true)
    // It goes on correcting itself while lines are measured, so it has to know what stands below the last one.
    list.current?.scrollToIndex(count - 1, { align: 'end', offset: BELOW_LAST })
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }, [list, scroller, count])

  const onScroll = () => {
    const element = scroller.current
    if (!element) return
    sticks.current = isAtEnd && element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_BOTTOM
    setThere(sticks.current)
  }

  useStart(list, entries, start, onScroll)

  useLayoutEffect(() => {
    if (lastKey && (sticks.current || isOwn)) go()
  }, [lastKey, isOwn, go])

  useKeptBottom(scroller, sticks, onScroll)
  return { isThere, go, onScroll }
}

/** Begins at a line, in the upper part of the frame, so that what came before it can be seen as well. */
function useStart(
  list: RefObject<VirtualizerHandle | null>,
  entries: Entry[],
  start: string | undefined,
  onScroll: () => void,
) {
  const begin = useRef(() => {
    const at = entries.findIndex(({ key }) => key === start)
    if (at !== -1) list.current?.scrollToIndex(at, { align: 'start', offset: -ABOVE_START })
  })
  const latest = useRef(onScroll)
  latest.current = onScroll
  useLayoutEffect(() => {
    begin.current()
    // A thread that fits the frame never scrolls, and so never tells where it stands.
    const frame = requestAnimationFrame(() => latest.current())
    return () => cancelAnimationFrame(frame)
  }, [])
}

/**
 * Stays at the bottom while lines are measured after they appear, and while the composer below grows. A thread that has
 * come to fit its frame is at its bottom as well, and no scrolling will tell.
 */
function useKeptBottom(scroller: RefObject<HTMLDivElement | null>, sticks: RefObject<boolean>, onScroll: () => void) {
  const latest = useRef(onScroll)
  latest.current = onScroll
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    // Reachable by keyboard, so that arrow keys scroll it.
    element.tabIndex = 0
    let isMeasured = false
    const frame = requestAnimationFrame(() => {
      isMeasured = true
    })
    const observer = new ResizeObserver(() => {
      if (sticks.current) element.scrollTop = element.scrollHeight
      else if (isMeasured && element.scrollHeight <= element.clientHeight) latest.current()
    })
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
    }
  }, [scroller, sticks])
}
