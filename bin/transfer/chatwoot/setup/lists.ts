/** A list of objects in a JSON value, which Rails may have encoded twice. What is no object is left out. */
export function listIn(raw: unknown): Record<string, unknown>[] {
  const value = decoded(raw)
  return Array.isArray(value) ? value.filter((item) => item && typeof item === 'object' && !Array.isArray(item)) : []
}

/** An object in such a value; empty if it is none. */
export function objectIn(raw: unknown): Record<string, unknown> {
  const value = decoded(raw)
  return value && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

function decoded(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

/** A text or number as a text without blanks around it; otherwise empty. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).trim()
    : ''
}
