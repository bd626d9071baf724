import { useSyncExternalStore } from 'react'

/** What the palette lists: everything, or the answers to one question. */
export type Scope = 'all' | 'assign' | 'tag' | 'snooze'

type Opened =
  | { window: 'palette'; scope: Scope }
  | { window: 'help' }
  | { window: 'snooze-time'; snooze: (until: string) => void }
  | undefined

let opened: Opened
const listeners = new Set<() => void>()

function show(next: Opened) {
  opened = next
  for (const listener of listeners) listener()
}

/** Opens the command palette. */
export function openPalette(scope: Scope = 'all') {
  show({ window: 'palette', scope })
}

/** Opens the list of all keys. */
export function openHelp() {
  show({ window: 'help' })
}

/** Asks for the moment when a snoozed conversation shall wake. */
export function openSnoozeTime(snooze: (until: string) => void) {
  show({ window: 'snooze-time', snooze })
}

export function closeOverlay() {
  show(undefined)
}

export function useOverlay(): Opened {
  return useSyncExternalStore(onOpened, () => opened)
}

function onOpened(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
