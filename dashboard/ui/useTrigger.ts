import {
  type ComponentType,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  use,
  useId,
  useRef,
  useState,
} from 'react'
import { KitWords } from './kit-words.ts'
import { notify } from './notices.ts'

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
 * A button that opens something of which the code comes when it is wanted: it is loaded as soon as somebody points at the
 * button or comes to it by key. Where that fails, as after an update of the server, opening it says so.
 * @returns `opening` as key of what is opened: one that is opened again while it is on its way out would not take the focus;
 * and `isOpen()` for whoever waited meanwhile
 */
export function useTrigger<Props>(kind: 'menu' | 'dialog', load: () => Promise<ComponentType<Props>>) {
  const id = useId()
  const ref = useRef<HTMLButtonElement>(null)
  const words = use(KitWords)
  const [Popup, setPopup] = useState<ComponentType<Props>>()
  const [focus, setFocus] = useState<FocusPlace>()
  const [opening, setOpening] = useState(0)
  const isOpen = useRef(false)
  const ahead = () => void load().catch(() => undefined)
  async function open(place: FocusPlace) {
    try {
      const loaded = Popup ?? (await load())
      isOpen.current = true
      setPopup(() => loaded)
      setFocus(place)
      setOpening((count) => count + 1)
    } catch {
      notify({ kind: 'error', key: 'part', title: words.not_loaded })
    }
  }
  function close() {
    isOpen.current = false
    setFocus(undefined)
  }
  const trigger: TriggerProps = {
    id,
    ref,
    'aria-haspopup': kind,
    'aria-expanded': focus !== undefined,
    onClick(event) {
      // Not every browser focuses a button that is clicked, and the focus has to find the way back here.
      event.currentTarget.focus()
      if (focus === undefined) open(event.detail === 0 ? 'first' : true)
      else close()
    },
    onKeyDown(event) {
      const goal = goalOf(event.key, kind)
      if (!goal) return
      // Not left to the click that would follow: that looks like the click of a screen reader, which has its own way to focus.
      event.preventDefault()
      open(goal)
    },
    onPointerEnter: ahead,
    onFocus: ahead,
  }
  return { trigger, Popup, focus, close, opening, isOpen: () => isOpen.current }
}
