/**
 * Replaces part of a field's text as if it had been typed, with the caret behind it: the field sends its change, and undo
 * takes it back, which it does not after `setRangeText`.
 */
export function insertText(field: HTMLTextAreaElement, text: string, start: number, end: number) {
  field.focus()
  field.setSelectionRange(start, end)
  // Deprecated, but the only function for it, and every browser has it.
  document.execCommand('insertText', false, text)
}
