const NOTE = /^\s*(?:;;|\\\\)\s*/

/** Whether a text is marked as a private note, and its content. */
export function readNote(text: string): { isPrivate: boolean; text: string } {
  return { isPrivate: NOTE.test(text), text: text.replace(NOTE, '') }
}
