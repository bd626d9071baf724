import { readEnvelope } from '../protocol.ts'
import { FULL_SCREEN } from './style.ts'

const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads'

interface Options {
  title: string
  address: string
  origin: string
  receive: (event: string, payload: unknown) => void
  signal: AbortSignal
}

/** The panel with the chat window, hidden until shown. */
export function createFrame(root: ShadowRoot, { title, address, origin, receive, signal }: Options) {
  const panel = document.createElement('div')
  panel.className = 'panel'
  panel.setAttribute('role', 'dialog')
  panel.setAttribute('aria-label', title)
  const frame = document.createElement('iframe')
  frame.title = title
  frame.sandbox = SANDBOX
  // The browser asks when a visitor records a voice message. Sounds are allowed once they have touched the page.
  frame.allow = 'autoplay;microphone'
  frame.src = address
  panel.append(frame)
  root.prepend(panel)

  addEventListener(
    'message',
    ({ source, origin: from, data }) => {
      if (source !== frame.contentWindow || from !== origin) return
      const envelope = readEnvelope(data)
      if (envelope) receive(envelope.event, envelope.payload)
    },
    { signal },
  )
  const keepStill = coverScreen(panel, signal)

  return {
    element: frame,
    panel,
    load(next: string) {
      frame.src = next
    },
    show(isOpen: boolean) {
      panel.classList.toggle('open', isOpen)
      panel.classList.remove('card')
      keepStill(isOpen && matchMedia(FULL_SCREEN).matches)
    },
    /** Shows a small card beside the button, `height` pixels tall; 0 hides it. */
    showCard(height: number) {
      panel.classList.toggle('card', height > 0)
      panel.style.setProperty('--card', `${Math.min(height, 320)}px`)
    },
    send: (event: string, payload: object) => frame.contentWindow?.postMessage({ event, payload }, origin),
  }
}

/**
 * Tells the style sheet what is visible of a phone's page, which the open chat covers: the keyboard covers a part without
 * resizing it, and the page may be moved below it. Returns a function that keeps the page behind still.
 */
function coverScreen({ style }: HTMLElement, signal: AbortSignal) {
  const visible = visualViewport!
  const page = document.documentElement.style
  let isStill = false
  const cover = () => {
    style.setProperty('--height', `${visible.scale * visible.height}px`)
    // Where somebody has zoomed in, it says at which part of the chat they look.
    style.setProperty('--top', `${visible.scale > 1 ? 0 : visible.offsetTop}px`)
  }
  const keepStill = (next: boolean) => {
    if (next !== isStill) page.overflow = next ? 'hidden' : ''
    isStill = next
  }
  cover()
  visible.addEventListener('resize', cover, { signal })
  visible.addEventListener('scroll', cover, { signal })
  signal.addEventListener('abort', () => keepStill(false))
  return keepStill
}
