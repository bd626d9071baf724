import { PROTOCOL_VERSION } from '../protocol.ts'
import { drawBubble } from './bubble.ts'
import { isDarkPage, pairOf, readColor } from './color.ts'
import type { Settled } from './config.ts'
import { createMemory } from './memory.ts'
import { createOpening, type Opening } from './opening.ts'
import { fetchSettings, writeAddress } from './settings.ts'
import { dressUp } from './style.ts'

/** Draws the bubble once the settings are known, and brings the chat window when it is asked for or needed. */
export async function startWidget(host: HTMLElement, config: Settled) {
  const memory = createMemory(config.token, config.inbox)
  const settings = await fetchSettings(config)
  const primaryColor = readColor(config.primaryColor || settings?.color)
  const theme = isDarkPage() ? 'dark' : 'light'
  const root = host.attachShadow({ mode: 'open' })
  dressUp(root)
  paint(host, primaryColor, theme, config.offset)
  const bubble = drawBubble(root, {
    side: config.side,
    isFilled: (config.iconVariant ?? settings?.icon_variant) === 'filled',
    isHidden: !!config.hideToggleButton,
  })
  const title = config.title || settings?.title || 'Chat'
  const address = writeAddress(config, settings, { primaryColor, theme, version: PROTOCOL_VERSION })
  const opening = createOpening({ root, config, bubble, memory, title, address })
  listen(bubble.button, opening)
  if (memory.isNeeded()) opening.bring()
  const staysOpen = config.persistOpenState && memory.wasOpen()
  if (config.defaultIsOpen || config.isOpenByDefault || staysOpen) opening.toggle(true, false)
}

function listen(button: HTMLButtonElement, { bring, toggle, isOpen }: Opening) {
  button.onclick = () => toggle(!isOpen(), true)
  button.onkeydown = ({ key }) => {
    if (key === 'Escape') toggle(false, true)
  }
  // Whoever comes near the button is likely to press it: by then the chat window is there.
  for (const near of ['pointerenter', 'pointerdown', 'focus']) button.addEventListener(near, bring)
  for (const name of ['papercups', 'parley']) {
    addEventListener(`${name}:open`, () => toggle(true, true))
    addEventListener(`${name}:close`, () => toggle(false, true))
    addEventListener(`${name}:toggle`, () => toggle(!isOpen(), true))
  }
}

function paint({ style }: HTMLElement, color: string, theme: string, offset: number) {
  const { ground, text } = pairOf(color)
  style.setProperty('--ground', ground)
  style.setProperty('--text', text)
  style.setProperty('--paper', theme === 'dark' ? '#1b2026' : '#fff')
  style.setProperty('--offset', `${offset}px`)
}
