import { useEffect, useRef } from 'react'
import { startInline } from './inline.ts'
import type { LoadOptions } from './parley.ts'
import { makesTexts, type TextMakers, useSaved } from './saved.ts'
import { listChanges, stableCallbacks } from './stable-callbacks.ts'

/** Configuration that makes sense without a button. */
export type ChatWindowProps = Omit<
  LoadOptions,
  | 'position'
  | 'zIndex'
  | 'defaultIsOpen'
  | 'isOpenByDefault'
  | 'persistOpenState'
  | 'hideToggleButton'
  | 'popUpInitialMessage'
  | 'iconVariant'
  | 'customIconUrl'
> &
  TextMakers

/** The chat as a part of the page: no button, always open, as large as its container. */
export function ChatWindow(props: ChatWindowProps) {
  const { token, accountId, inbox, baseUrl, hideOutsideWorkingHours } = props
  const container = useRef<HTMLDivElement>(null)
  const shown = useRef<ReturnType<typeof startInline>>(undefined)
  const latest = useRef(props)
  const sent = useRef<Record<string, unknown>>({})
  const saved = useSaved(props, makesTexts(props) || !!hideOutsideWorkingHours)
  const isShown = !!saved && !(hideOutsideWorkingHours && saved.isOutsideWorkingHours)
  const config = { ...props, ...saved?.texts, ...stableCallbacks(latest) }

  useEffect(() => {
    latest.current = props
    if (!shown.current) return
    const changes = listChanges(sent.current, config)
    sent.current = config
    if (Object.keys(changes).length > 0) shown.current.update(config, changes)
  })

  // Another account, inbox or server needs another chat.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect above sends all other changes to the running chat.
  useEffect(() => {
    if (!isShown || !container.current) return
    sent.current = config
    shown.current = startInline(container.current, config)
    return () => {
      shown.current?.leave()
      shown.current = undefined
    }
  }, [isShown, token, accountId, inbox, baseUrl])

  return <div ref={container} className="Papercups-chatWindowContainer" style={{ height: '100%', minHeight: 320 }} />
}
