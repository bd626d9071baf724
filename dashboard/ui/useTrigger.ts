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
import { KitLabels } from './kit-labels.ts'
import { notify } from './notices.ts'

/** Where the focus goes in the popup: to its first or last option, or to the popup itself. */
export type FocusPosition = 'first' | 'last' | true

function focusTargetOf(key: string, kind: 'menu' | 'dialog'): FocusPosition | undefined {
  if (key === 'Enter' || key === ' ' || (kind === 'menu' && key === 'ArrowDown')) return 'first'
  return kind === 'menu' && key === 'ArrowUp' ? 'last' : undefined
}

/** The props of the trigger button. */
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
 * A button that opens a popup whose code is loaded lazily, as soon as the button is hovered or focused. If loading
 * fails, as after a server update, a notice is shown.
 * @returns `opening`, the key of the popup: one reopened during its exit animation would not take the focus; and
 * `isOpen()`, the current state after a wait
 */
export function useTrigger<Props>(kind: 'menu' | 'dialog', load: () => Promise<ComponentType<Props>>) {
  const id = useId()
  const ref = useRef<HTMLButtonElement>(null)
  const labels = use(KitLabels)
  const [Popup, setPopup] = useState<ComponentType<Props>>()
  const [focus, setFocus] = useState<FocusPosition>()
  const [opening, setOpening] = useState(0)
  const isOpen = useRef(false)
  const ahead = () => void load().catch(() => undefined)
  async function open(position: FocusPosition) {
    try {
      const loaded = Popup ?? (await load())
      isOpen.current = true
      setPopup(() => loaded)
      setFocus(position)
      setOpening((count) => count + 1)
    } catch {
      notify({ kind: 'error', key: 'part', title: labels.not_loaded })
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
      // Not every browser focuses a clicked button, but the focus must return here.
      event.currentTarget.focus()
      if (focus === undefined) open(event.detail === 0 ? 'first' : true)
      else close()
    },
    onKeyDown(event) {
      const goal = focusTargetOf(event.key, kind)
      if (!goal) return
      // The click that would follow looks like one by a screen reader, for which the focus is handled differently.
      event.preventDefault()
      open(goal)
    },
    onPointerEnter: ahead,
    onFocus: ahead,
  }
  return { trigger, Popup, focus, close, opening, isOpen: () => isOpen.current }
}
