import { createStore, useStore } from '../../../platform/store.ts'

/** What the palette lists: all commands, or the choices of one. */
export type Scope = 'all' | 'assign' | 'tag' | 'snooze' | 'macro'

type Opened =
  | { window: 'palette'; scope: Scope }
  | { window: 'help' }
  | { window: 'delete'; count: number; remove: () => void }
  | { window: 'give-back'; count: number }
  | { window: 'snooze-time'; snooze: (until: string) => void }
  | undefined

const opened = createStore<Opened>(undefined)

export function openPalette(scope: Scope = 'all') {
  opened.set({ window: 'palette', scope })
}

/** Opens the list of keyboard shortcuts. */
export function openHelp() {
  opened.set({ window: 'help' })
}

/** Asks until when to snooze. */
export function openSnoozeTime(snooze: (until: string) => void) {
  opened.set({ window: 'snooze-time', snooze })
}

/** Asks for confirmation before conversations are deleted. */
export function openDeleteQuestion(count: number, remove: () => void) {
  opened.set({ window: 'delete', count, remove })
}

/** Asks whoever goes away whether others should get what waits for an answer. */
export function openGiveBackQuestion(count: number) {
  opened.set({ window: 'give-back', count })
}

export function closeOverlay() {
  opened.set(undefined)
}

export function useOverlay(): Opened {
  return useStore(opened, (current) => current)
}
