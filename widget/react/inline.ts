import { CALLBACKS, type Emit } from '../loader/api.ts'
import { isDarkPage, readColor, writeColor } from '../loader/color.ts'
import { resolveSettings } from '../loader/config.ts'
import { createMemory } from '../loader/memory.ts'
import { createOpening } from '../loader/opening.ts'
import { chatSettingsOf, writeAddress } from '../loader/settings.ts'
import type { ParleyConfig } from '../loader/types.ts'
import { PROTOCOL_VERSION } from '../protocol.ts'
import type { LoadOptions } from './parley.ts'

/** Overrides the loader's sizes, also for phone keyboards: the page decides how tall the chat is. */
const FILLING = { width: '100%', height: '100%', minHeight: '100%', maxHeight: '100%' }

/** The loader's chat window without its button, always open, filling its container. */
export function startInline(container: HTMLElement, config: LoadOptions) {
  const controller = new AbortController()
  const host = document.createElement('div')
  Object.assign(host.style, FILLING)
  container.append(host)
  let now = resolveSettings(config, config.baseUrl)
  const root = host.attachShadow({ mode: 'open' })
  const theme = isDarkPage() ? 'dark' : 'light'
  const emit: Emit = (event, payload) => (now[CALLBACKS[event]!] as ((value: unknown) => void) | undefined)?.(payload)
  const opening = createOpening({
    root,
    config: () => ({ ...now, styles: { chatContainer: { ...FILLING, ...now.styles?.chatContainer } } }),
    bubble: { button: document.createElement('button'), show: () => undefined },
    memory: createMemory(now.token, now.inbox),
    title: now.title || 'Chat',
    addressOf: () =>
      writeAddress(now, undefined, { ...colorOf(now), theme, closeable: false, version: PROTOCOL_VERSION }),
    emit,
    signal: controller.signal,
  })

  /** The color, if the page sets one: the window reads the saved one itself, and only understands `rgb()`. */
  function colorOf({ primaryColor }: ParleyConfig) {
    return primaryColor ? { primaryColor: writeColor(readColor(host, primaryColor)) } : {}
  }

  const { element } = opening.load()
  Object.assign(element.style, FILLING, { border: 0, display: 'block' })
  const { open, close, identify } = { open() {}, close() {}, identify: introduce }
  element.addEventListener('load', () => emit('ready', { open, close, identify }), { once: true })
  opening.identify()
  opening.toggle(true, false)

  function introduce(customer: ParleyConfig['customer'], identityToken?: string) {
    now = { ...now, customer, identityToken }
    opening.identify()
  }

  return {
    update(next: LoadOptions, changes: ParleyConfig) {
      now = resolveSettings(next, next.baseUrl)
      opening.restyle()
      opening.sendAppearance(chatSettingsOf({ ...changes, ...colorOf(changes) }))
      if ('customer' in changes || 'identityToken' in changes) opening.identify()
    },
    leave() {
      controller.abort()
      host.remove()
    },
  }
}
