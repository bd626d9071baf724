/** A partly typed reference that a menu can complete: `@` a teammate, `/` or `#` a saved reply, `:` an emoji. */
export interface Trigger {
  character: '@' | '/' | '#' | ':'
  /** The text between the trigger character and the caret. */
  query: string
  /** The index of the trigger character. */
  start: number
  /** The index of the caret. */
  end: number
}

/** The longest query; a paragraph that starts with a slash is not one. */
const MAX_QUERY_LENGTH = 40
const MIN_EMOJI = 2

/**
 * The trigger before the caret, if any. It must start a word, so that addresses, dates and times open no menu. Names
 * may contain spaces, emoji names may not.
 */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(Math.max(0, caret - MAX_QUERY_LENGTH - 2), caret)
  const match = /(?:^|[\s([{])([@/#:])((?!\s)[^\n@/#:]{0,40})$/u.exec(before)
  if (!match) return undefined
  const character = match[1] as Trigger['character']
  const query = match[2] ?? ''
  if (character === ':' && (query.length < MIN_EMOJI || /[^\p{L}\p{M}\d_+-]/u.test(query))) return undefined
  // The excerpt may start within a word, so the character before the trigger is checked in the full text.
  const start = caret - query.length - 1
  if (start > 0 && !/[\s([{]/.test(text[start - 1] ?? '')) return undefined
  return { character, query, start, end: caret }
}
