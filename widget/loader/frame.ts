import { readEnvelope } from '../protocol.ts'

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
  frame.setAttribute('sandbox', SANDBOX)
  // Only allows the browser to ask; it asks when a visitor records a voice message.
  frame.allow = `microphone ${origin}`
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
  fitKeyboard(panel, signal)

  return {
    element: frame,
    panel,
    load(next: string) {
      frame.src = next
    },
    show(isOpen: boolean) {
      panel.classList.toggle('open', isOpen)
      panel.classList.remove('card')
    },
    /** Shows a small card beside the button, `height` pixels tall; 0 hides it. */
    showCard(height: number) {
      panel.classList.toggle('card', height > 0)
      panel.style.setProperty('--card', `${Math.min(height, 320)}px`)
    },
    send: (event: string, payload: object) => frame.contentWindow?.postMessage({ event, payload }, origin),
  }
}

/** On phones the keyboard covers the page without resizing it; the composer has to stay above it. */
function fitKeyboard(panel: HTMLElement, signal: AbortSignal) {
  const { visualViewport } = window
  const fit = () => {
    const isCovered = innerWidth <= 640 && visualViewport?.scale === 1
    panel.style.height = isCovered ? `${visualViewport.height}px` : ''
  }
  visualViewport?.addEventListener('resize', fit, { signal })
}
