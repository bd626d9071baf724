/** A size in bytes as people read it, such as `1.2 MB`. Thousands, as the limit counts them; never less than `1 kB`. */
export function fileSize(bytes: number, language: string): string {
  const isLarge = bytes >= 999_500
  const number = isLarge ? bytes / 1e6 : Math.max(bytes / 1_000, 1)
  const unit = isLarge ? 'megabyte' : 'kilobyte'
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: isLarge ? 1 : 0 }).format(number)
}
