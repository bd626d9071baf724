const DEFAULT_SECONDS = { info: 4, success: 4, error: 8 }

export interface Notice {
  id: number
  kind: 'info' | 'success' | 'error'
  title: string
  text?: string
  /** One thing to do about it, such as undoing what was just done. */
  action?: { label: string; run: () => void; keys?: string }
  /** Until it goes by itself; `Infinity` stays until dismissed. */
  seconds?: number
  /** A notice replaces the one with the same key. */
  key?: string
}

let shown: readonly Notice[] = []
let lastId = 0

/** Where notices stand instead of in their corner, in pixels from the window's left and bottom. */
export interface NoticePosition {
  left: number
  bottom: number
  width: number
}

let place: NoticePosition | undefined
const listeners = new Set<() => void>()

/** Shows a notice in the corner. Returns how to take it away. */
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

/** What the newest notice with these keys offers to do; doing it takes the notice away. */
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

/** The end of the thread, while one is on screen; undefined for the corner. */
export function setNoticePosition(next: NoticePosition | undefined) {
  place = next
  for (const listener of listeners) listener()
}

export function readNoticePosition(): NoticePosition | undefined {
  return place
}

function show(next: readonly Notice[]) {
  shown = next
  for (const listener of listeners) listener()
}
