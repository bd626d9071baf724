type KeyPress = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'isComposing'>

const NAMES: Record<string, string> = { ArrowDown: 'down', ArrowUp: 'up', Escape: 'esc', Enter: 'enter' }

/**
 * A key press as actions write it: `x`, `?`, `shift+down`, `mod+d` with Cmd or Ctrl. Undefined for other combinations,
 * and during input method composition.
 */
export function keyOf(press: KeyPress): string | undefined {
  const { key, metaKey, ctrlKey, altKey, shiftKey, isComposing } = press
  if (isComposing || altKey || (metaKey && ctrlKey)) return undefined
  const isLetter = /^\p{Letter}$/u.test(key)
  const name = NAMES[key] ?? (key.length === 1 ? key.toLowerCase() : undefined)
  if (!name) return undefined
  const isMod = metaKey || ctrlKey
  // Some keyboards need Shift for characters such as `?`, others do not.
  const isShifted = shiftKey && (isLetter || key.length > 1)
  if (isMod && isShifted) return undefined
  return `${isMod ? 'mod+' : ''}${isShifted ? 'shift+' : ''}${name}`
}

const TAKES_KEYS = 'textarea, select, [contenteditable="true"], [role="combobox"], [role="menu"], [role="listbox"]'

/** Whether the element uses letter keys itself, such as a text field or a menu. */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type)
  return target.closest(TAKES_KEYS) !== null
}

/** Whether a dialog is open, which handles keys itself. */
export function isCovered(): boolean {
  return document.querySelector('[data-modal], dialog[open]') !== null
}
