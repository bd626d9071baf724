const NOTE = /^\s*(?:;;|\\\\)\s*/

/** Whether somebody wrote a private note, and what stands in it. */
export function readNote(text: string): { isPrivate: boolean; text: string } {
  return { isPrivate: NOTE.test(text), text: text.replace(NOTE, '') }
}
