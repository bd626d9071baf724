/**
 * Whether somebody typed a name as it looks: blanks in a row show as one, and a letter with its accent may be written in
 * two ways.
 */
export function looksLike(typed: string, name: string): boolean {
  return plain(typed) === plain(name)
}

function plain(name: string): string {
  return name.normalize().replace(/\s+/g, ' ').trim()
}
