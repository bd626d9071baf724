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

/** All that a website may configure, and what only an application in React can give. */
export type ChatWidgetProps = LoadOptions &
  TextMakers & {
    /** Draws the button in the place of ours. */
    renderToggleButton?: (options: ToggleButtonOptions) => ReactElement
  }

/** What the page-wide widget is at: React mounts, takes away and mounts again, the script starts once. */
const standing = { hasBooted: false, isLoaded: false }

/**
 * The chat, as long as it is mounted. Draws nothing itself but the button it is given: the script of `baseUrl` does, in an
 * element of its own, so rendering on a server yields nothing and needs no window. Changed properties are told to the
 * chat that stands.
 */
export function ChatWidget(props: ChatWidgetProps) {
  const latest = useRef(props)
  const told = useRef<Record<string, unknown>>({})
  const { renderToggleButton, hideToggleButton, hideOutsideWorkingHours } = props
  const saved = useSaved(props, makesTexts(props) || !!(renderToggleButton && hideOutsideWorkingHours))

  useEffect(() => {
    latest.current = props
    load(props)
    if (!saved) return
    const config = { ...props, ...saved.texts, ...stableCallbacks(latest) }
    if (renderToggleButton) config.hideToggleButton = true
    const changes = listChanges(told.current, config)
    told.current = config
    if (!standing.hasBooted) call('boot', config)
    else if (Object.keys(changes).length > 0) call('update', changes)
    standing.hasBooted = true
  })

  useEffect(() => {
    call('show')
    return () => call('hide')
  }, [])
  const { isLoaded, isOpen } = useStanding()

  const isAway = hideOutsideWorkingHours && saved?.isOutsideWorkingHours
  if (!renderToggleButton || hideToggleButton || !isLoaded || isAway) return null
  return (
    <div className="Papercups-toggleButtonContainer" style={placeButton(props)}>
      {renderToggleButton({ isOpen, isDisabled: false, onToggleOpen: () => call('toggle') })}
    </div>
  )
}

/** Whether there is a chat, and whether it is open. For after it was called: before, nobody listens. */
function useStanding() {
  const [isLoaded, setLoaded] = useState(standing.isLoaded)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const noteLoaded = () => {
      standing.isLoaded = true
      setLoaded(true)
    }
    const noteOpen = () => setOpen(true)
    const noteClosed = () => setOpen(false)
    call('on', 'ready', noteLoaded)
    call('on', 'open', noteOpen)
    call('on', 'close', noteClosed)
    return () => {
      call('off', 'ready', noteLoaded)
      call('off', 'open', noteOpen)
      call('off', 'close', noteClosed)
    }
  }, [])
  return { isLoaded, isOpen }
}

/** Where ours would stand, just below the chat: on a phone the open chat covers it. */
function placeButton({ position, zIndex = 2147483000, styles }: ParleyConfig) {
  const { side = position === 'left' ? 'left' : 'right', offset = 20 } = typeof position === 'object' ? position : {}
  return { position: 'fixed', bottom: 20, [side]: offset, zIndex: zIndex - 1, ...styles?.toggleContainer } as const
}
