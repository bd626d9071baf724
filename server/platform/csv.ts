/**
 * The first line of a CSV file, with a byte order mark, without which spreadsheet programs misread accented letters.
 */
export function csvHead(names: readonly string[]): string {
  return `\ufeff${names.join(',')}\r\n`
}

/** One line of a CSV file. */
export function csvLine(cells: (string | number | null | undefined)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/**
 * How formulas, and commands of old spreadsheet programs, begin. The wide and small forms are normalised to the usual
 * ones by some programs.
 */
const FORMULA = /^[=+\-@|\t\r\n＝＋－＠﹦﹢﹣﹫]/

/** Escapes a cell: one that begins like a formula would run in a spreadsheet, and an apostrophe makes it text. */
export function cell(value: string | number | null | undefined): string {
  const text = String(value ?? '')
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

/** Undoes the escaping: an exported telephone number is imported without the apostrophe. */
export function plainCell(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text
}
