import { readEnvelope } from '../protocol.ts'

const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads'

interface Options {
  side: 'left' | 'right'
  title: string
  address: string
  origin: string
  hear: (event: string, payload: unknown) => void
}

/** The panel with the chat window in it, invisible until shown. */
export function createFrame(root: ShadowRoot, { side, title, address, origin, hear }: Options) {
  const panel = document.createElement('div')
  panel.className = `panel ${side}`
  panel.setAttribute('role', 'dialog')
  panel.setAttribute('aria-label', title)
  const frame = document.createElement('iframe')
  frame.title = title
  frame.setAttribute('sandbox', SANDBOX)
  frame.src = address
  panel.append(frame)
  root.prepend(panel)

  addEventListener('message', ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || from !== origin) return
    const envelope = readEnvelope(data)
    if (envelope) hear(envelope.event, envelope.payload)
  })
  fitKeyboard(panel)

  return {
    element: frame,
    show: (isOpen: boolean) => panel.classList.toggle('open', isOpen),
    tell: (event: string, payload: object) => frame.contentWindow?.postMessage({ event, payload }, origin),
  }
}

/** On phones the keyboard covers the page without resizing it; the composer has to stay above. */
function fitKeyboard(panel: HTMLElement) {
  const { visualViewport } = window
  const isPhone = matchMedia('(max-width:640px)')
  const fit = () => {
    const isCovered = isPhone.matches && visualViewport && visualViewport.scale === 1
    panel.style.height = isCovered ? `${visualViewport.height}px` : ''
  }
  visualViewport?.addEventListener('resize', fit)
}
