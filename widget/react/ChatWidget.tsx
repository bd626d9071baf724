import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { ParleyConfig } from '../loader/types.ts'
import { call, type LoadOptions, load } from './parley.ts'
import { makesTexts, type TextMakers, useSaved } from './saved.ts'
import { listChanges, stableCallbacks } from './stable-callbacks.ts'

export interface ToggleButtonOptions {
  isOpen: boolean
  isDisabled: boolean
  onToggleOpen: () => void
}

/** The website's configuration, with additions for React. */
export type ChatWidgetProps = LoadOptions &
  TextMakers & {
    /** Renders a button in place of ours. */
    renderToggleButton?: (options: ToggleButtonOptions) => ReactElement
  }

/** State of the page-wide widget: React may mount the component several times, the script boots once. */
const shared = { hasBooted: false, isLoaded: false }

/**
 * Shows the chat while mounted. The script from `baseUrl` renders it in its own element, so this component renders only
 * a custom button and works on a server. Changed props are sent to the running chat.
 */
export function ChatWidget(props: ChatWidgetProps) {
  const latest = useRef(props)
  const sent = useRef<Record<string, unknown>>({})
  const { renderToggleButton, hideToggleButton, hideOutsideWorkingHours } = props
  const saved = useSaved(props, makesTexts(props) || !!(renderToggleButton && hideOutsideWorkingHours))

  useEffect(() => {
    latest.current = props
    load(props)
    if (!saved) return
    const config = { ...props, ...saved.texts, ...stableCallbacks(latest) }
    if (renderToggleButton) config.hideToggleButton = true
    const changes = listChanges(sent.current, config)
    sent.current = config
    if (!shared.hasBooted) call('boot', config)
    else if (Object.keys(changes).length > 0) call('update', changes)
    shared.hasBooted = true
  })

  useEffect(() => {
    call('show')
    return () => call('hide')
  }, [])
  const { isLoaded, isOpen } = useChatState()

  const isAway = hideOutsideWorkingHours && saved?.isOutsideWorkingHours
  if (!renderToggleButton || hideToggleButton || !isLoaded || isAway) return null
  return (
    <div className="Papercups-toggleButtonContainer" style={placeButton(props)}>
      {renderToggleButton({ isOpen, isDisabled: false, onToggleOpen: () => call('toggle') })}
    </div>
  )
}

/**
 * Whether the chat has loaded and whether it is open. Effects run in order, so this hook must come after the one that
 * calls `load`.
 */
function useChatState() {
  const [isLoaded, setLoaded] = useState(shared.isLoaded)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onLoaded = () => {
      shared.isLoaded = true
      setLoaded(true)
    }
    const onOpen = () => setOpen(true)
    const onClose = () => setOpen(false)
    call('on', 'ready', onLoaded)
    call('on', 'open', onOpen)
    call('on', 'close', onClose)
    return () => {
      call('off', 'ready', onLoaded)
      call('off', 'open', onOpen)
      call('off', 'close', onClose)
    }
  }, [])
  return { isLoaded, isOpen }
}

/** The position of the default button, one layer below the chat, which covers it on phones. */
function placeButton({ position, zIndex = 2147483000, styles }: ParleyConfig) {
  const { side = position === 'left' ? 'left' : 'right', offset = 20 } = typeof position === 'object' ? position : {}
  return { position: 'fixed', bottom: 20, [side]: offset, zIndex: zIndex - 1, ...styles?.toggleContainer } as const
}
