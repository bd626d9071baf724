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

/** Those that are about to leave. */
export function readClosing(): ReadonlySet<string> {
  return closing
}

export function useClosing(): ReadonlySet<string> {
  return useSyncExternalStore(onClosing, readClosing)
}

function onClosing(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
