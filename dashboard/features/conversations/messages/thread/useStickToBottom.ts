import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { VirtualLinesHandle } from '../../../../ui/VirtualList.tsx'
import type { Entry } from './entries.ts'

/** How near the bottom counts as reading the newest message, in pixels. */
const NEAR_BOTTOM = 80
/** How much is shown above the line that a thread opens at, in pixels. */
const ABOVE_START = 120
/** Input that may scroll: after it, the view no longer returns to the starting line. */
const SCROLLS_BY_HAND = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * What stays in view while lines are measured after rendering: the newest message, or the line the thread opened at.
 */
type Anchor = 'bottom' | 'start' | undefined

/**
 * Keeps the newest message in view while the user is at the end, however the thread or its frame grows, and does not
 * move the view for users who have scrolled up. The user's own message always scrolls into view. A thread with a
 * `start` (a searched message or the first unread one) opens there.
 *
 * Done here and not with virtua's `scrollToIndex`, which returns to its target while lines are measured, even if the
 * user has started to scroll (inokawa/virtua#595).
 */
export function useStickToBottom(
  scroller: RefObject<HTMLDivElement | null>,
  list: RefObject<VirtualLinesHandle | null>,
  entries: Entry[],
  { isAtEnd, start }: { isAtEnd: boolean; start: string | undefined },
) {
  const startsBelow = start === undefined && isAtEnd
  const [isThere, setThere] = useState(startsBelow)
  const anchor = useRef<Anchor>(startsBelow ? 'bottom' : 'start')
  const lastTop = useRef(0)
  const lastKey = entries.at(-1)?.key
  const newest = entries.at(-1)
  const isOwn = newest?.type === 'outgoing' || (newest?.type === 'scheduled' && newest.scheduled.is_undo)

  const scrollToAnchor = () => {
    const element = scroller.current
    if (!element) return
    if (anchor.current === 'bottom') element.scrollTop = element.scrollHeight
    if (anchor.current !== 'start') return
    const at = entries.findIndex(({ key }) => key === start)
    const offset = list.current?.getItemOffset(at)
    if (at !== -1 && offset !== undefined) element.scrollTop = offset - ABOVE_START
  }

  const go = useCallback(() => {
    anchor.current = 'bottom'
    setThere(true)
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
  }, [scroller])

  const onScroll = () => {
    const element = scroller.current
    if (!element) return
    const isNear = isAtEnd && element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_BOTTOM
    // A long message may have grown between our scrolling and its event; only a smaller position means that the user
    // scrolled up.
    const isLeft = element.scrollTop < lastTop.current
    lastTop.current = element.scrollTop
    if (isNear) anchor.current = 'bottom'
    else if (anchor.current === 'bottom' && isLeft) anchor.current = undefined
    setThere(anchor.current === 'bottom')
  }

  const onResize = useAnchor(scroller, anchor, scrollToAnchor, onScroll)

  useLayoutEffect(() => {
    if (lastKey && (anchor.current === 'bottom' || isOwn)) go()
  }, [lastKey, isOwn, go])

  return { isThere, go, onScroll, onResize }
}

/**
 * Scrolls to the kept line at first and whenever the frame changes size, and returns what does so when lines change size.
 * If a thread now fits into its frame, there is no scroll event, so `onScroll` is called.
 *
 * The list says when lines have been measured. Observing the element around them as well would change a size that is
 * observed while sizes are being reported, which browsers log as an error.
 */
function useAnchor(
  scroller: RefObject<HTMLDivElement | null>,
  anchor: RefObject<Anchor>,
  scrollToAnchor: () => void,
  onScroll: () => void,
): () => void {
  const latest = useRef({ scrollToAnchor, onScroll })
  latest.current = { scrollToAnchor, onScroll }
  const isMeasured = useRef(false)
  const onResize = useCallback(() => {
    const element = scroller.current
    if (!element) return
    latest.current.scrollToAnchor()
    if (isMeasured.current && element.scrollHeight <= element.clientHeight) latest.current.onScroll()
  }, [scroller])
  useLayoutEffect(() => latest.current.scrollToAnchor(), [])
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    // Focusable, so that arrow keys scroll it.
    element.tabIndex = 0
    const frame = requestAnimationFrame(() => {
      isMeasured.current = true
      // A thread that fits into the frame causes no scroll event.
      latest.current.onScroll()
    })
    const observer = new ResizeObserver(onResize)
    observer.observe(element)
    const release = () => {
      if (anchor.current === 'start') anchor.current = undefined
    }
    for (const name of SCROLLS_BY_HAND) element.addEventListener(name, release, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      for (const name of SCROLLS_BY_HAND) element.removeEventListener(name, release)
    }
  }, [scroller, anchor, onResize])
  return onResize
}
