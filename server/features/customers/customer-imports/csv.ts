import { plainCell } from '../../../platform/csv.ts'

/** A byte order mark, and the line by which Excel tells the separator: `sep=;`. */
const NAMED_SEPARATOR = /^\ufeff?(?:"?sep=([^\r\n"])"?[ \t,;]*(?:\r\n?|\n|$))?/i

/**
 * Parses CSV row by row. Cells may be quoted and contain line breaks; any line break ends a row; the separator is
 * the one that a first line such as `sep=;` names, else comma, semicolon or tab, whichever is most frequent in the
 * header. Empty lines are skipped, and apostrophes that keep a cell from being a formula are removed.
 */
export function* readCsv(text: string): Generator<string[], void> {
  const [opening = '', named] = NAMED_SEPARATOR.exec(text) ?? []
  const source = text.slice(opening.length)
  const separator = named ?? separatorOf(source)
  let row: string[] = []
  let cell = ''
  let at = 0
  while (at < source.length) {
    const char = source[at]!
    if (char === '"' && cell === '') {
      const quoted = readQuoted(source, at + 1)
      cell = quoted.text
      at = quoted.end
    } else if (char === separator) {
      row.push(cell)
      cell = ''
      at++
    } else if (char === '\n' || char === '\r') {
      row.push(cell)
      if (row.some((value) => value.trim() !== '')) yield row.map(plainCell)
      row = []
      cell = ''
      at++
    } else {
      const end = nextOf(source, at, separator)
      cell += source.slice(at, end)
      at = end
    }
  }
  row.push(cell)
  if (row.some((value) => value.trim() !== '')) yield row.map(plainCell)
}

/** From after the opening quote to after the closing one; two quotes stand for one. */
function readQuoted(source: string, start: number): { text: string; end: number } {
  let text = ''
  let at = start
  for (;;) {
    const quote = source.indexOf('"', at)
    if (quote === -1) return { text: text + source.slice(at), end: source.length }
    text += source.slice(at, quote)
    if (source[quote + 1] !== '"') return { text, end: quote + 1 }
    text += '"'
    at = quote + 2
  }
}

function nextOf(source: string, from: number, separator: string): number {
  let at = from + 1
  while (at < source.length && source[at] !== separator && source[at] !== '\n' && source[at] !== '\r') at++
  return at
}

function separatorOf(source: string): string {
  // Separators inside quotes do not count: `"Last name, first name";Email`.
  const head = source.slice(0, source.search(/[\r\n]|$/)).replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((separator) => [separator, head.split(separator).length] as const)
  return counts.reduce((best, candidate) => (candidate[1] > best[1] ? candidate : best))[0]
}
