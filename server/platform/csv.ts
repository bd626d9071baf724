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
