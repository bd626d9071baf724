import { formatNumber } from '../../../../platform/formats.ts'

/** A size in bytes for display, such as `1.2 MB`. In decimal units like the size limit, and at least `1 kB`. */
export function fileSize(bytes: number): string {
  const isLarge = bytes >= 999_500
  const number = isLarge ? bytes / 1e6 : Math.max(bytes / 1_000, 1)
  const unit = isLarge ? 'megabyte' : 'kilobyte'
  return formatNumber(number, { style: 'unit', unit, maximumFractionDigits: isLarge ? 1 : 0 })
}
