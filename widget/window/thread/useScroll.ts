import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Entry } from './entries.ts'

/** Within this distance of the end the reader counts as being at the end. */
const NEAR_PX = 60

/**
 * Follows new messages for readers at the end. For readers further up nothing moves: older pages are added above, and
 * new messages are announced.
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

  // After every render, because the typing indicator also changes the height.
  useLayoutEffect(() => {
    const area = scroller.current
    if (!area) return
    const { isAtEnd, height, first, last } = before.current
    const newest = entries.at(-1)
    const isNew = newest?.id !== last
    if (isAtEnd || (isNew && newest?.isOwn)) area.scrollTop = area.scrollHeight
    else if (entries.find(isStored)?.id !== first) area.scrollTop += area.scrollHeight - height
    // Not after a deletion: the message that is now the last one is not new.
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
    const onScroll = () => {
      // A scroll event caused by a change of size, not by the reader. The observer below handles it.
      if (sizeOf(area) !== before.current.size) return
      const isAtEnd = area.scrollHeight - area.scrollTop - area.clientHeight < NEAR_PX
      before.current.isAtEnd = isAtEnd
      if (isAtEnd) setMissed(false)
    }
    // Not every browser makes scrollable areas reachable by keyboard.
    area.tabIndex = 0
    // Stays at the end when the composer grows, the keyboard opens, or the frame is shown.
    const resized = new ResizeObserver(() => {
      before.current.size = sizeOf(area)
      if (before.current.isAtEnd) area.scrollTop = area.scrollHeight
    })
    resized.observe(area)
    // Lazily loaded parts make the content taller.
    if (area.firstElementChild) resized.observe(area.firstElementChild)
    area.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      resized.disconnect()
      area.removeEventListener('scroll', onScroll)
    }
  }, [])

  const toBottom = () => {
    const area = scroller.current
    if (area) area.scrollTop = area.scrollHeight
  }
  return { scroller, missed, toBottom }
}

/** The size of the area and of its content, to detect changes. */
function sizeOf({ clientHeight, firstElementChild }: HTMLElement): string {
  return `${clientHeight} ${firstElementChild?.clientHeight}`
}

function isStored({ state }: Entry): boolean {
  return state === 'stored' || state === 'seen'
}
