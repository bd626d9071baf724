import type { ParleyConfig } from '../loader/types.ts'

const CALLBACKS = ['onChatLoaded', 'onChatOpened', 'onChatClosed', 'onMessageSent', 'onMessageReceived'] as const

/** Functions that stay the same while what they call may be new with every rendering. */
export function stableCallbacks(latest: { current: ParleyConfig }): ParleyConfig {
  return Object.fromEntries(
    CALLBACKS.map((name) => [
      name,
      (given: never) => (latest.current[name] as ((given: never) => void) | undefined)?.(given),
    ]),
  )
}

/** What is new, by value: objects written in JSX are never the same twice. */
export function listChanges(before: Record<string, unknown>, now: Record<string, unknown>): ParleyConfig {
  const keys = new Set([...Object.keys(before), ...Object.keys(now)])
  const isNew = (key: string) => JSON.stringify(before[key]) !== JSON.stringify(now[key])
  return Object.fromEntries([...keys].filter(isNew).map((key) => [key, now[key]]))
}
