const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Round time spans in seconds: "37 minutes" would be too exact. */
const SPANS = [
  [MINUTE, 'minute', [1, 2, 5, 10, 15, 30]],
  [HOUR, 'hour', [1, 2, 4, 8, 12]],
  [DAY, 'day', [1, 2, 3]],
] as const

/** Rounded up to the next span: `5 minutes` for four and a half. */
export function formatWithin(seconds: number, language: string): string {
  for (const [unit_seconds, unit, counts] of SPANS) {
    const count = counts.find((limit) => seconds <= limit * unit_seconds)
    if (count) return format(count, unit, language)
  }
  return format(Math.ceil(seconds / DAY), 'day', language)
}

function format(count: number, unit: string, language: string): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
