import { useEffect, useRef } from 'react'
import type { ParleyConfig } from '../loader/types.ts'
import { call, load } from './parley.ts'

/** All that a website may configure. `baseUrl` is where Parley answers, since no script tag tells. */
export type ChatWidgetProps = ParleyConfig & { baseUrl: string }

const CALLBACKS = ['onChatLoaded', 'onChatOpened', 'onChatClosed', 'onMessageSent', 'onMessageReceived'] as const

/** Which page-wide widget stands already: React mounts, takes away and mounts again, the script starts once. */
let hasBooted = false

/**
 * The chat, as long as it is mounted. Draws nothing itself: the script of `baseUrl` does, in an element of its own, so
 * rendering on a server yields nothing and needs no window. Changed properties are told to the chat that stands.
 */
export function ChatWidget(props: ChatWidgetProps) {
  const latest = useRef(props)
  const told = useRef<Record<string, unknown>>({})

  useEffect(() => {
    latest.current = props
    const config = { ...props, ...followCallbacks(latest) }
    load(props.baseUrl)
    const changes = listChanges(told.current, config)
    told.current = config
    if (!hasBooted) call('boot', config)
    else if (Object.keys(changes).length > 0) call('update', changes)
    hasBooted = true
  })

  useEffect(() => {
    call('show')
    return () => call('hide')
  }, [])

  return null
}

/** Functions that stay the same while what they call may be new with every rendering. */
function followCallbacks(latest: { current: ParleyConfig }): ParleyConfig {
  return Object.fromEntries(
    CALLBACKS.map((name) => [
      name,
      (given: never) => (latest.current[name] as ((given: never) => void) | undefined)?.(given),
    ]),
  )
}

/** What is new, by value: objects written in JSX are never the same twice. */
function listChanges(before: Record<string, unknown>, now: Record<string, unknown>): ParleyConfig {
  const keys = new Set([...Object.keys(before), ...Object.keys(now)])
  const isNew = (key: string) => JSON.stringify(before[key]) !== JSON.stringify(now[key])
  return Object.fromEntries([...keys].filter(isNew).map((key) => [key, now[key]]))
}
