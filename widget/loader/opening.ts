import { fieldsOf, NEEDED } from '../protocol.ts'
import { describeBrowser } from './browser-info.ts'
import type { drawBubble } from './bubble.ts'
import type { Settled } from './config.ts'
import { createFrame } from './frame.ts'
import type { createMemory } from './memory.ts'

interface Parts {
  root: ShadowRoot
  config: Settled
  bubble: ReturnType<typeof drawBubble>
  memory: ReturnType<typeof createMemory>
  title: string
  address: string
}

/** Opens and closes the chat window, and speaks with it. The frame comes with the first need for it. */
export function createOpening({ root, config, bubble, memory, title, address }: Parts) {
  let frame: ReturnType<typeof createFrame> | undefined
  let isLoaded = false
  let isOpen = false
  let byPerson = false
  let unseen = 0

  function bring() {
    frame ??= createFrame(root, { side: config.side, title, address, origin: config.base, hear })
    return frame
  }

  /** A person's wish moves the focus; the page's own does not. */
  function toggle(next: boolean, person: boolean) {
    if (next === isOpen) return
    isOpen = next
    byPerson = person
    const { element, show } = bring()
    show(isOpen)
    bubble.show(isOpen, unseen)
    if (config.persistOpenState) memory.noteOpen(isOpen)
    tellToggle()
    if (isOpen && person) element.focus()
    // Focus that stood in the frame would be lost with it.
    else if (!isOpen && root.activeElement === element) bubble.button.focus()
  }

  function tellToggle() {
    if (isLoaded) frame?.tell('papercups:toggle', { isOpen, byPerson })
  }

  function hear(event: string, payload: unknown) {
    const { customerId, isNeeded, count } = fieldsOf(payload)
    if (event === 'chat:loaded') {
      isLoaded = true
      frame?.tell('customer:update', { metadata: { ...describeBrowser(), ...config.customer } })
      tellToggle()
    } else if (event === 'papercups:close') toggle(false, true)
    else if (event === 'papercups:open') toggle(true, true)
    else if (event === NEEDED) memory.noteNeeded(isNeeded === true)
    else if (event.startsWith('customer:') && typeof customerId === 'string') {
      memory.noteCustomer(customerId)
      dispatchEvent(new CustomEvent('papercups:customer:set', { detail: customerId }))
    } else if (event.startsWith('messages:')) {
      unseen = event === 'messages:unseen' ? Number(count) || 1 : 0
      bubble.show(isOpen, unseen)
    }
  }

  return { bring, toggle, isOpen: () => isOpen }
}

export type Opening = ReturnType<typeof createOpening>
