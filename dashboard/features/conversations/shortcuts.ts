type KeyPress = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'isComposing'>

export type Shortcut = 'next' | 'previous' | 'close' | 'prioritize' | 'unprioritize' | 'reopen'

const SHORTCUTS: Record<string, Shortcut> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  d: 'close',
  p: 'prioritize',
  u: 'unprioritize',
  o: 'reopen',
}

/** Which action a key press with Ctrl or Cmd asks for; nothing while characters are being composed. */
export function shortcutFor(press: KeyPress): Shortcut | undefined {
  if (press.isComposing || press.altKey || press.shiftKey || press.metaKey === press.ctrlKey) return undefined
  return SHORTCUTS[press.key.length === 1 ? press.key.toLowerCase() : press.key]
}
