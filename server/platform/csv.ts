/** The first line of a CSV file. Without the mark at its very beginning, spreadsheet programs misread accented letters. */
export function csvHead(names: readonly string[]): string {
  return `\ufeff${names.join(',')}\r\n`
}

/** One line of a CSV file. */
export function csvLine(cells: (string | number | null | undefined)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** A cell that begins like a formula would run in the spreadsheet that opens the file; an apostrophe makes it text. */
export function cell(value: string | number | null | undefined): string {
  const text = String(value ?? '')
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

/** A cell as it was before it was made harmless: an exported telephone number comes back without the apostrophe. */
export function plainCell(text: string): string {
  return text.replace(/^'(?=[=+\-@\t\r])/, '')
}
