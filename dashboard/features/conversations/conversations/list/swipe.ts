import { type RefObject, useEffect, useEffectEvent } from 'react'

export type Side = 'left' | 'right'

/** Swipes that start this near an edge of the screen are the browser's: it goes back or forward. In pixels. */
const EDGE = 24
/** How far a finger moves before it is clear whether it swipes or scrolls, in pixels. */
const DECIDED = 12
/** How far a row is swiped before letting go does something, in pixels. */
const ENOUGH = 88

interface SwipeOptions {
  /** The sides to which this row may be swiped now. */
  sides: readonly Side[]
  /** The row was let go far enough to this side. */
  swiped: (side: Side) => void
}

/**
 * Lets a row be swiped to a side by touch. While it moves, `--swipe` is how far, and `data-swipe` is the side, with
 * `data-swipe-enough` once letting go would do something. Scrolling, which begins with a movement up or down, is left
 * to the browser.
 */
export function useSwipe(row: RefObject<HTMLElement | null>, { sides, swiped }: SwipeOptions) {
  const done = useEffectEvent(swiped)
  const isAllowed = useEffectEvent((side: Side) => sides.includes(side))
  useEffect(() => {
    const element = row.current
    if (!element) return
    let start: { x: number; y: number } | undefined
    let isSwiping = false
    let offset = 0

    const end = () => {
      start = undefined
      isSwiping = false
      offset = 0
      element.style.removeProperty('--swipe')
      delete element.dataset.swipe
      delete element.dataset.swipeEnough
    }
    const begin = ({ touches: [touch, another] }: TouchEvent) => {
      end()
      if (!touch || another || touch.clientX < EDGE || touch.clientX > window.innerWidth - EDGE) return
      start = { x: touch.clientX, y: touch.clientY }
    }
    const move = (event: TouchEvent) => {
      const [touch] = event.touches
      if (!start || !touch) return
      const [across, along] = [touch.clientX - start.x, touch.clientY - start.y]
      if (!isSwiping) {
        if (Math.abs(along) > DECIDED) return end()
        if (Math.abs(across) < DECIDED) return
        isSwiping = true
      }
      // Otherwise the list would scroll as well.
      event.preventDefault()
      const side = across < 0 ? 'left' : 'right'
      offset = isAllowed(side) ? across : 0
      element.style.setProperty('--swipe', `${offset}px`)
      element.dataset.swipe = side
      element.toggleAttribute('data-swipe-enough', Math.abs(offset) >= ENOUGH)
    }
    const release = () => {
      const reached = Math.abs(offset) >= ENOUGH ? (offset < 0 ? 'left' : 'right') : undefined
      end()
      if (reached) done(reached)
    }
    element.addEventListener('touchstart', begin, { passive: true })
    element.addEventListener('touchmove', move, { passive: false })
    element.addEventListener('touchend', release)
    element.addEventListener('touchcancel', end)
    return () => {
      element.removeEventListener('touchstart', begin)
      element.removeEventListener('touchmove', move)
      element.removeEventListener('touchend', release)
      element.removeEventListener('touchcancel', end)
    }
  }, [row])
}
