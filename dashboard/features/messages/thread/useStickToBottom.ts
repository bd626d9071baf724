import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { Entry } from './entries.ts'

/** How near the bottom counts as reading the newest message, in pixels. */
const NEAR_BOTTOM = 80
/** How much of what came before is shown above the line at which a thread begins, in pixels. */
const ABOVE_START = 120
/** What a person does to scroll: whoever does it is never taken back to where the thread began. */
const SCROLLS_BY_HAND = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** What stays in view while lines are measured after they appear: the newest message, or the line the thread began at. */
type Kept = 'bottom' | 'start' | undefined

/**
 * Keeps the newest message in view for whoever is reading it, however the thread or its frame grows, and leaves alone
 * whoever has scrolled up. One's own message always comes into view. A thread that opens at `start`, a line that was
 * looked for or the first unread one, begins there; where the newest message is not loaded there is no bottom to keep.
 *
 * The places are kept here and not by virtua's `scrollToIndex`: that one goes back to its goal for as long as lines are
 * measured, also when somebody has begun to scroll meanwhile (inokawa/virtua#595).
 */
export function useStickToBottom(
  scroller: RefObject<HTMLDivElement | null>,
  list: RefObject<VirtualizerHandle | null>,
  entries: Entry[],
  { isAtEnd, start }: { isAtEnd: boolean; start: string | undefined },
) {
  const startsBelow = start === undefined && isAtEnd
  const [isThere, setThere] = useState(startsBelow)
  const kept = useRef<Kept>(startsBelow ? 'bottom' : 'start')
  const lastTop = useRef(0)
  const lastKey = entries.at(-1)?.key
  const isOwn = entries.at(-1)?.type === 'outgoing'

  const goToKept = () => {
    const element = scroller.current
    if (!element) return
    if (kept.current === 'bottom') element.scrollTop = element.scrollHeight
    if (kept.current !== 'start') return
    const at = entries.findIndex(({ key }) => key === start)
    const offset = list.current?.getItemOffset(at)
    if (at !== -1 && offset !== undefined) element.scrollTop = offset - ABOVE_START
  }

  const go = useCallback(() => {
    kept.current = 'bottom'
    setThere(true)
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
  }, [scroller])

  const onScroll = () => {
    const element = scroller.current
    if (!element) return
    const isNear = isAtEnd && element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_BOTTOM
    // A long message may have grown between our own scrolling to its end and being told of that: nobody went up.
    const isLeft = element.scrollTop < lastTop.current
    lastTop.current = element.scrollTop
    if (isNear) kept.current = 'bottom'
    else if (kept.current === 'bottom' && isLeft) kept.current = undefined
    setThere(kept.current === 'bottom')
  }

  useKept(scroller, kept, goToKept, onScroll)

  useLayoutEffect(() => {
    if (lastKey && (kept.current === 'bottom' || isOwn)) go()
  }, [lastKey, isOwn, go])

  return { isThere, go, onScroll }
}

/**
 * Goes to the kept place at the beginning and whenever the frame or what is in it grows: lines that are measured, the
 * composer below. A thread that has come to fit its frame is at its bottom as well, and no scrolling will tell.
 */
function useKept(
  scroller: RefObject<HTMLDivElement | null>,
  kept: RefObject<Kept>,
  goToKept: () => void,
  onScroll: () => void,
) {
  const latest = useRef({ goToKept, onScroll })
  latest.current = { goToKept, onScroll }
  useLayoutEffect(() => latest.current.goToKept(), [])
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    // Reachable by keyboard, so that arrow keys scroll it.
    element.tabIndex = 0
    let isMeasured = false
    const frame = requestAnimationFrame(() => {
      isMeasured = true
      // A thread that fits the frame never scrolls, and so never tells where it stands.
      latest.current.onScroll()
    })
    const observer = new ResizeObserver(() => {
      latest.current.goToKept()
      if (isMeasured && element.scrollHeight <= element.clientHeight) latest.current.onScroll()
    })
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    const letGo = () => {
      if (kept.current === 'start') kept.current = undefined
    }
    for (const name of SCROLLS_BY_HAND) element.addEventListener(name, letGo, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      for (const name of SCROLLS_BY_HAND) element.removeEventListener(name, letGo)
    }
  }, [scroller, kept])
}
