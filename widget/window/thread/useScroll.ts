import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Entry } from './entries.ts'

/** Nearer to the end than this, one is reading the end. */
const NEAR_PX = 60

/**
 * Keeps the newest words in view for whoever reads them, and everything where it is for whoever reads further up:
 * older pages grow upwards, new messages are only announced.
 */
export function useScroll(entries: Entry[]) {
  const scroller = useRef<HTMLElement>(null)
  const before = useRef({
    isAtEnd: true,
    height: 0,
    size: '',
    first: undefined as string | undefined,
    last: undefined as string | undefined,
  })
  const [missed, setMissed] = useState(false)

  // After every drawing: somebody who begins to type makes the thread longer, too.
  useLayoutEffect(() => {
    const area = scroller.current
    if (!area) return
    const { isAtEnd, height, first, last } = before.current
    const newest = entries.at(-1)
    const isNew = newest?.id !== last
    if (isAtEnd || (isNew && newest?.isOwn)) area.scrollTop = area.scrollHeight
    else if (entries.find(isStored)?.id !== first) area.scrollTop += area.scrollHeight - height
    // Where the last words were taken back, those before them are not new.
    else if (isNew && entries.some(({ id }) => id === last)) setMissed(true)
    before.current = {
      ...before.current,
      height: area.scrollHeight,
      size: sizeOf(area),
      first: entries.find(isStored)?.id,
      last: newest?.id,
    }
  })

  useEffect(() => {
    const area = scroller.current
    if (!area) return
    const note = () => {
      // What has just changed its size was scrolled by that, not by somebody. The observer below puts it right.
      if (sizeOf(area) !== before.current.size) return
      const isAtEnd = area.scrollHeight - area.scrollTop - area.clientHeight < NEAR_PX
      before.current.isAtEnd = isAtEnd
      if (isAtEnd) setMissed(false)
    }
    // Not every browser lets the keyboard into an area that scrolls.
    area.tabIndex = 0
    // The composer grows, the keyboard rises, the frame is shown: the end stays in view.
    const resized = new ResizeObserver(() => {
      before.current.size = sizeOf(area)
      if (before.current.isAtEnd) area.scrollTop = area.scrollHeight
    })
    resized.observe(area)
    // Parts that come later, or unfold, make what is scrolled longer.
    if (area.firstElementChild) resized.observe(area.firstElementChild)
    area.addEventListener('scroll', note, { passive: true })
    return () => {
      resized.disconnect()
      area.removeEventListener('scroll', note)
    }
  }, [])

  const toBottom = () => {
    const area = scroller.current
    if (area) area.scrollTop = area.scrollHeight
  }
  return { scroller, missed, toBottom }
}

/** How large the area is, and what is scrolled in it. */
function sizeOf({ clientHeight, firstElementChild }: HTMLElement): string {
  return `${clientHeight} ${firstElementChild?.clientHeight}`
}

function isStored({ state }: Entry): boolean {
  return state === 'stored' || state === 'seen'
}
