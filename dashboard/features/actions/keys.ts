type KeyPress = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'isComposing'>

const NAMES: Record<string, string> = { ArrowDown: 'down', ArrowUp: 'up', Escape: 'esc', Enter: 'enter' }

/**
 * A key press as actions write it: `x`, `?`, `shift+down`, `mod+d` with Cmd or Ctrl. Nothing for other combinations,
 * and nothing while an input method composes characters.
 */
export function keyOf(press: KeyPress): string | undefined {
  const { key, metaKey, ctrlKey, altKey, shiftKey, isComposing } = press
  if (isComposing || altKey || (metaKey && ctrlKey)) return undefined
  const isLetter = /^\p{Letter}$/u.test(key)
  const name = NAMES[key] ?? (key.length === 1 ? key.toLowerCase() : undefined)
  if (!name) return undefined
  const isMod = metaKey || ctrlKey
  // Signs such as `?` need Shift on some keyboards and not on others.
  const isShifted = shiftKey && (isLetter || key.length > 1)
  if (isMod && isShifted) return undefined
  return `${isMod ? 'mod+' : ''}${isShifted ? 'shift+' : ''}${name}`
}

const TAKES_KEYS = 'textarea, select, [contenteditable="true"], [role="combobox"], [role="menu"], [role="listbox"]'

/** Whether somebody writes or chooses there, so that letters are theirs. */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type)
  return target.closest(TAKES_KEYS) !== null
}

/** Whether a window stands before the page: its keys are its own. */
export function isCovered(): boolean {
  return document.querySelector('[data-modal], dialog[open]') !== null
}
