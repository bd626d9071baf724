/**
 * Whether a typed name looks the same: repeated spaces count as one, and accented letters may be encoded differently.
 */
export function looksLike(typed: string, name: string): boolean {
  return plain(typed) === plain(name)
}

function plain(name: string): string {
  return name.normalize().replace(/\s+/g, ' ').trim()
}
