const DEFAULT_SECONDS = { info: 4, success: 4, error: 8 }

export interface Notice {
  id: number
  kind: 'info' | 'success' | 'error'
  title: string
  text?: string
  /** An action, such as undo. */
  action?: { label: string; run: () => void; keys?: string }
  /** How long it is shown; `Infinity` until dismissed. */
  seconds?: number
  /** A notice replaces the one with the same key. */
  key?: string
}

let shown: readonly Notice[] = []
let lastId = 0

/** The position of notices outside their corner, in pixels from the left and bottom of the window. */
export interface NoticePosition {
  left: number
  bottom: number
  width: number
}

let position: NoticePosition | undefined
const listeners = new Set<() => void>()

/** Shows a notice in the corner. Returns a function that removes it. */
export function notify(notice: Omit<Notice, 'id'>): () => void {
  const id = ++lastId
  const others = shown.filter((other) => !notice.key || other.key !== notice.key)
  show([...others, { ...notice, id }].slice(-4))
  return () => dismiss(id)
}

export function dismiss(id: number) {
  show(shown.filter((notice) => notice.id !== id))
}

export function dismissKey(key: string) {
  show(shown.filter((notice) => notice.key !== key))
}

export function dismissAll() {
  show([])
}

export function secondsOf(notice: Notice): number {
  return notice.seconds ?? (notice.action ? 10 : DEFAULT_SECONDS[notice.kind])
}

/** The action of the newest notice with this keyboard shortcut; running it removes the notice. */
export function readAction(keys: string): (() => void) | undefined {
  const notice = shown.findLast(({ action }) => action?.keys === keys)
  return notice && (() => runAction(notice))
}

export function runAction(notice: Notice) {
  dismiss(notice.id)
  notice.action?.run()
}

export function readNotices(): readonly Notice[] {
  return shown
}

export function onNotices(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The end of the thread, if one is on screen; undefined for the corner. */
export function setNoticePosition(next: NoticePosition | undefined) {
  position = next
  for (const listener of listeners) listener()
}

export function readNoticePosition(): NoticePosition | undefined {
  return position
}

function show(next: readonly Notice[]) {
  shown = next
  for (const listener of listeners) listener()
}
