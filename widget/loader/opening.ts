import { CARD, FRESH, fieldsOf, IDENTITY_REFUSED, NEEDED } from '../protocol.ts'
import type { Emit } from './api.ts'
import type { drawBubble } from './bubble.ts'
import type { ResolvedSettings } from './config.ts'
import { createFrame } from './frame.ts'
import type { Memory } from './memory.ts'
import { applyStyles } from './style.ts'

interface OpeningOptions {
  root: ShadowRoot
  config: () => ResolvedSettings
  bubble: ReturnType<typeof drawBubble>
  memory: Memory
  title: string
  addressOf: () => string
  emit: Emit
  signal: AbortSignal
}

/** A frame that does not load must not block signing out. */
const WIPE_MS = 4000

/** Opens and closes the chat window and exchanges messages with it. The frame is created when first needed. */
export function createOpening({ root, config, bubble, memory, title, addressOf, emit, signal }: OpeningOptions) {
  let frame: ReturnType<typeof createFrame> | undefined
  let isLoaded = false
  let isOpen = false
  let byPerson = false
  let unseen = 0
  let cardRequest: object | undefined
  let onWiped: (() => void) | undefined

  function load() {
    if (frame) return frame
    // The frame deletes the data of the previous person before it shows anything.
    const address = addressOf() + (memory.isStale() ? `&${FRESH}=1` : '')
    frame = createFrame(root, { title, address, origin: config().base, receive, signal })
    restyle()
    return frame
  }

  function restyle() {
    if (frame) applyStyles(frame.panel, config().styles?.chatContainer ?? {})
  }

  /** Opening by a person moves the focus; opening by the page does not. */
  function toggle(next: boolean, person: boolean) {
    if (next === isOpen) return
    isOpen = next
    byPerson = person
    const { element, show } = load()
    show(isOpen)
    bubble.show(isOpen, unseen)
    if (config().persistOpenState) memory.storeOpen(isOpen)
    sendToggle()
    if (isOpen && person) element.focus()
    // Otherwise the focus would be lost in the hidden frame.
    else if (!isOpen && root.activeElement === element) bubble.button.focus()
    emit(isOpen ? 'open' : 'close')
  }

  function send(event: string, payload: object) {
    if (isLoaded) frame?.send(event, payload)
  }

  function sendToggle() {
    send('papercups:toggle', { isOpen, byPerson })
  }

  /**
   * Sends the visitor's identity and stores it. When the person has changed, the frame is reloaded with empty storage.
   */
  function identify() {
    const { customer, identityToken } = config()
    const who = customer?.external_id
    const wasStale = memory.isStale()
    if (who !== undefined && who !== null) memory.storePerson(`${who}`)
    if (frame && !wasStale && memory.isStale()) return reload()
    // The frame reads the browser's properties itself, but cannot read the page's address.
    const { host, pathname, href: current_url } = location
    send('customer:update', { metadata: { host, pathname, current_url, ...customer }, identityToken })
  }

  function reload() {
    isLoaded = false
    unseen = 0
    bubble.show(isOpen, unseen)
    frame?.load(`${addressOf()}&${FRESH}=1`)
  }

  function onLoaded() {
    isLoaded = true
    memory.clearStale()
    if (onWiped) return onWiped()
    identify()
    sendToggle()
    if (cardRequest) send('notifications:display', cardRequest)
  }

  function receive(event: string, payload: unknown) {
    const fields = fieldsOf(payload)
    const { customerId, isNeeded, count, height } = fields
    if (event === 'chat:loaded') onLoaded()
    // Anything sent after this belongs to the person who signed out.
    else if (onWiped) return
    else if (event === 'papercups:close' || event === 'papercups:open') toggle(event === 'papercups:open', true)
    else if (event === NEEDED) memory.storeNeeded(isNeeded === true)
    else if (event === CARD) frame?.showCard(isOpen ? 0 : Number(height) || 0)
    else if (event === IDENTITY_REFUSED) emit('identity:refused')
    else if (event.startsWith('message:')) emit(event as 'message:sent' | 'message:received', fields)
    else if (event.startsWith('customer:') && typeof customerId === 'string') {
      memory.storeCustomer(customerId)
      dispatchEvent(new CustomEvent('papercups:customer:set', { detail: customerId }))
    } else if (event.startsWith('messages:')) {
      const before = unseen
      unseen = event === 'messages:unseen' ? Number(count) || 1 : 0
      bubble.show(isOpen, unseen)
      if (unseen !== before) emit('unread', unseen)
      send('notifications:display', { shouldDisplayNotifications: unseen > 0 && !isOpen })
    }
  }

  return {
    load,
    restyle,
    toggle,
    identify,
    isOpen: () => isOpen,
    sendAppearance: (appearance: object) => send('config:update', appearance),
    /** Shows the greeting beside the button, once per session. */
    popUpLater(ms: number) {
      if (memory.wasPoppedUp()) return
      const pop = () => {
        memory.storePoppedUp()
        cardRequest = { shouldDisplayNotifications: true, popUpInitialMessage: true }
        load()
        send('notifications:display', cardRequest)
      }
      setTimeout(() => signal.aborted || pop(), ms > 1 ? ms : 0)
    },
    /** Hides the widget while the frame deletes its data, then calls `done`. */
    wipe(done: () => void) {
      isOpen = false
      onWiped = done
      root.host.toggleAttribute('hidden', true)
      if (frame) reload()
      else load()
      setTimeout(done, WIPE_MS)
    },
  }
}

export type Opening = ReturnType<typeof createOpening>
