import { useSyncExternalStore } from 'react'

let closing: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

/** Marks a conversation as about to leave its list. */
export function setClosing(id: string, isClosing: boolean) {
  const next = new Set(closing)
  if (isClosing) next.add(id)
  else next.delete(id)
  closing = next
  for (const listener of listeners) listener()
}

export function useClosing(): ReadonlySet<string> {
  return useSyncExternalStore(onClosing, () => closing)
}

function onClosing(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
