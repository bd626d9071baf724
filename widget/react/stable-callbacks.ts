import type { ParleyConfig } from '../loader/types.ts'

const CALLBACKS = ['onChatLoaded', 'onChatOpened', 'onChatClosed', 'onMessageSent', 'onMessageReceived'] as const

/** Callbacks whose identity stays the same while the functions they call may change with each render. */
export function stableCallbacks(latest: { current: ParleyConfig }): ParleyConfig {
  return Object.fromEntries(
    CALLBACKS.map((name) => [
      name,
      (payload: never) => (latest.current[name] as ((payload: never) => void) | undefined)?.(payload),
    ]),
  )
}

/** Changed props, compared by value: objects written in JSX differ by identity on every render. */
export function listChanges(before: Record<string, unknown>, now: Record<string, unknown>): ParleyConfig {
  const keys = new Set([...Object.keys(before), ...Object.keys(now)])
  const isNew = (key: string) => JSON.stringify(before[key]) !== JSON.stringify(now[key])
  return Object.fromEntries([...keys].filter(isNew).map((key) => [key, now[key]]))
}
