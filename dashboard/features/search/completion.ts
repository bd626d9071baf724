import type { SearchOperator } from '#contract/search-query.ts'

/** An operator at the end of what was typed, whose value is still being written. */
export interface Open {
  operator: SearchOperator
  value: string
  /** Where it begins. */
  start: number
}

/** Every operator with an example of what may follow it. */
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
const MOST_CHOICES = 6

/** The operator that is being typed, if one is. */
export function openOperator(text: string): Open | undefined {
  const found = OPEN.exec(text)
  if (!found?.[1] || !found[2]) return undefined
  const operator = found[2].toLowerCase() as SearchOperator
  return { operator, value: found[3] ?? found[4] ?? '', start: text.length - found[1].length }
}

/** The names that begin, or have a word that begins, with what was typed so far. */
export function choicesFor({ value }: Open, names: readonly string[]): string[] {
  const typed = plain(value)
  const matches = (name: string) =>
    plain(name) !== typed && [plain(name), ...plain(name).split(/\s+/)].some((word) => word.startsWith(typed))
  return names.filter(matches).slice(0, MOST_CHOICES)
}

/** The search with a name filled in for the operator at its end. */
export function complete(text: string, { operator, start }: Open, name: string): string {
  return `${text.slice(0, start)}${operator}:${/\s/.test(name) ? `"${name}"` : name} `
}

function plain(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
