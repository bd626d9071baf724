import { type KeyboardEvent, type MouseEvent, type RefObject, useId, useRef, useState } from 'react'

/** Where the focus goes in what was opened: to its first or last choice, or to the whole of it. */
export type FocusPlace = 'first' | 'last' | true

function goalOf(key: string, kind: 'menu' | 'dialog'): FocusPlace | undefined {
  if (key === 'Enter' || key === ' ' || (kind === 'menu' && key === 'ArrowDown')) return 'first'
  return kind === 'menu' && key === 'ArrowUp' ? 'last' : undefined
}

/** What the button that opens something has to be given. */
export interface TriggerProps {
  id: string
  ref: RefObject<HTMLButtonElement | null>
  'aria-haspopup': 'menu' | 'dialog'
  'aria-expanded': boolean
  onClick: (event: MouseEvent<HTMLButtonElement>) => void
  onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => void
  onPointerEnter: () => void
  onFocus: () => void
}

/**
 * A button that opens something of which the code comes when it is wanted: `load` is called as soon as somebody points at
 * the button or comes to it by key.
 */
export function useTrigger(kind: 'menu' | 'dialog', load: () => Promise<unknown>) {
  const id = useId()
  const ref = useRef<HTMLButtonElement>(null)
  const [focus, setFocus] = useState<FocusPlace>()
  // What cannot be loaded now is loaded again, and its failure told, when it is opened.
  const ahead = () => void load().catch(() => undefined)
  const trigger: TriggerProps = {
    id,
    ref,
    'aria-haspopup': kind,
    'aria-expanded': focus !== undefined,
    onClick(event) {
      // Not every browser focuses a button that is clicked, and the focus has to find the way back here.
      event.currentTarget.focus()
      setFocus(focus === undefined ? (event.detail === 0 ? 'first' : true) : undefined)
    },
    onKeyDown(event) {
      const goal = goalOf(event.key, kind)
      if (!goal) return
      // Not left to the click that would follow: that looks like the click of a screen reader, which has its own way to focus.
      event.preventDefault()
      setFocus(goal)
    },
    onPointerEnter: ahead,
    onFocus: ahead,
  }
  return { trigger, focus, close: () => setFocus(undefined) }
}
