import type { SearchOperator } from '#contract/conversations/search-query.ts'

/** An operator at the end of the text whose value is being typed. */
export interface Open {
  operator: SearchOperator
  value: string
  /** The index where it begins. */
  start: number
}

/** All operators with an example value. */
export const OPERATORS = [
  ['from:', 'Carla'],
  ['tag:', 'urgent'],
  ['inbox:', 'Billing'],
  ['assignee:', 'me'],
  ['status:', 'closed'],
  ['before:', '2026-11-30'],
  ['after:', '2026-11-01'],
  ['has:file', ''],
] as const

const OPEN = /(?:^|\s)((from|tag|inbox|assignee|status|has):(?:"([^"]*)|([^\s"]*)))$/i
const MAX_CHOICES = 6

/** The operator that is being typed, if any. */
export function openOperator(text: string): Open | undefined {
  const match = OPEN.exec(text)
  if (!match?.[1] || !match[2]) return undefined
  const operator = match[2].toLowerCase() as SearchOperator
  return { operator, value: match[3] ?? match[4] ?? '', start: text.length - match[1].length }
}

/** The names of which the whole or a word starts with the typed value. */
export function choicesFor({ value }: Open, names: readonly string[]): string[] {
  const typed = plain(value)
  const matches = (name: string) =>
    plain(name) !== typed && [plain(name), ...plain(name).split(/\s+/)].some((word) => word.startsWith(typed))
  return names.filter(matches).slice(0, MAX_CHOICES)
}

/** The text with the operator's value completed. */
export function complete(text: string, { operator, start }: Open, name: string): string {
  return `${text.slice(0, start)}${operator}:${/\s/.test(name) ? `"${name}"` : name} `
}

function plain(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
