import type { EmbeddedSettings } from '#contract/widget/widgets.ts'
import { brandPair, type Rgb } from '../contrast.ts'
import { PROTOCOL_VERSION } from '../protocol.ts'
import type { Emit } from './api.ts'
import { drawBubble } from './bubble.ts'
import { isDarkPage, readColor, writeColor } from './color.ts'
import type { ResolvedSettings } from './config.ts'
import { createMemory } from './memory.ts'
import { createOpening, type Opening } from './opening.ts'
import { chatSettingsOf, writeAddress } from './settings.ts'
import { addStyles, applyStyles, raise } from './style.ts'
import type { ParleyConfig } from './types.ts'

/** Renders the button, and loads the chat window when it is opened or needed. */
export function startWidget(
  host: HTMLElement,
  config: ResolvedSettings,
  settings: EmbeddedSettings | undefined,
  emit: Emit,
) {
  const memory = createMemory(config.token, config.inbox)
  const controller = new AbortController()
  const { signal } = controller
  const root = host.attachShadow({ mode: 'open' })
  addStyles(root)
  const bubble = drawBubble(root, config.customIconUrl || settings?.custom_icon_url)
  const title = config.title || settings?.title || 'Chat'
  let now = config
  let isHidden = false
  let theme: 'dark' | 'light'
  const opening = createOpening({ root, config: () => now, bubble, memory, title, addressOf, emit, signal })

  function colorOf({ primaryColor }: ResolvedSettings) {
    return readColor(bubble.button, primaryColor || settings?.color)
  }

  function addressOf() {
    // The page's style sheets may have loaded since, and decide whether it is dark.
    draw()
    return writeAddress(now, settings, { primaryColor: writeColor(colorOf(now)), theme, version: PROTOCOL_VERSION })
  }

  function draw() {
    theme = isDarkPage() ? 'dark' : 'light'
    const isFilled = (now.iconVariant ?? settings?.icon_variant) === 'filled'
    paint(host, colorOf(now), theme, isFilled, now)
    host.hidden = isHidden || !!(now.hideOutsideWorkingHours && settings?.account.is_outside_working_hours)
    bubble.button.hidden = !!now.hideToggleButton
    applyStyles(bubble.button, { ...now.styles?.toggleContainer, ...now.styles?.toggleButton })
    opening.restyle()
  }

  draw()
  listen(bubble.button, opening, signal)
  const toTop = () => raise(host, config.zIndex)
  toTop()
  stayOnPage(host, signal, toTop)
  opening.identify()
  if (memory.isNeeded()) opening.load()
  const storedState = now.persistOpenState && memory.wasOpen()
  // What the visitor did last wins over opening by default.
  if (storedState ? storedState === 'true' : now.defaultIsOpen || now.isOpenByDefault || settings?.is_open_by_default)
    opening.toggle(true, false)
  else if (now.popUpInitialMessage) opening.popUpLater(Number(now.popUpInitialMessage))

  const leave = () => {
    controller.abort()
    host.remove()
  }
  return {
    toggle: opening.toggle,
    isOpen: opening.isOpen,
    update(next: ResolvedSettings, changes: ParleyConfig) {
      now = next
      draw()
      opening.sendAppearance(
        chatSettingsOf({ ...changes, theme, ...(changes.primaryColor && { primaryColor: writeColor(colorOf(now)) }) }),
      )
      if ('customer' in changes || 'identityToken' in changes) opening.identify()
    },
    setHidden(next: boolean) {
      isHidden = next
      if (next) opening.toggle(false, false)
      draw()
    },
    /** Removes the widget from the page; the visitor's data stays. */
    leave,
    /** Deletes the visitor's data and removes the widget. */
    signOut() {
      memory.signOut()
      opening.wipe(leave)
    },
  }
}

export type Widget = ReturnType<typeof startWidget>

function listen(button: HTMLButtonElement, { load, toggle, isOpen }: Opening, signal: AbortSignal) {
  const open = () => toggle(true, true)
  const close = () => toggle(false, true)
  const turn = () => toggle(!isOpen(), true)
  // The second click of a double click would close the chat again.
  button.onclick = ({ detail }) => detail > 1 || turn()
  button.onkeydown = ({ key }) => {
    if (key === 'Escape') close()
  }
  // Loads the chat window early, because the visitor is likely to press the button.
  button.onpointerenter = load
  button.onfocus = load
  for (const [name, work] of Object.entries({ open, close, toggle: turn })) {
    addEventListener(`papercups:${name}`, work, { signal })
  }
}

function paint(
  { style }: HTMLElement,
  color: Rgb,
  theme: string,
  isFilled: boolean,
  { side, offset, zIndex }: ResolvedSettings,
) {
  const { ground, text } = brandPair(color)
  const variables = {
    ground: writeColor(ground),
    text: writeColor(text),
    // Browsers put an opaque background behind a frame of another color scheme; the card needs a transparent one.
    theme,
    paper: theme === 'dark' ? '#1b2026' : '#fff',
    fill: isFilled ? 'currentColor' : 'none',
    left: 'auto',
    right: 'auto',
    [side]: `${offset}px`,
    // Read by an `!important` rule, so that a page's style for all elements does not override it.
    z: `${zIndex ?? 2147483000}`,
  }
  for (const [name, value] of Object.entries(variables)) style.setProperty(`--${name}`, value)
}

/**
 * Keeps our element on the page while there is a widget. It stands beside the body, which some applications replace or
 * morph when they change views; of those that replace more, it comes back.
 */
function stayOnPage(host: HTMLElement, signal: AbortSignal, onReturn: () => void) {
  const watcher = new MutationObserver(() => {
    if (host.isConnected) return
    document.documentElement.append(host)
    onReturn()
  })
  watcher.observe(document.documentElement, { childList: true })
  signal.addEventListener('abort', () => watcher.disconnect())
}
