import { storableText } from '../json.ts'

declare const stored: unique symbol

/** JSON as text for a column of JSON. Only `toJson` makes it, so that nothing else is written there. */
export type JsonText = string & { [stored]: true }

/** How JSON.stringify writes what the database refuses in JSON: NUL characters, and halves of characters, which programs leave that cut a text. */
const REFUSED = /\\u(?:0000|d[89a-f])/

/**
 * JSON that the database can store, whatever somebody wrote: without NUL characters, and with replacement characters for
 * halves of characters. `undefined` is left out, as JSON.stringify does.
 */
export function toJson(value: object | string | number | boolean | null): JsonText {
  const text = JSON.stringify(value)
  // The same signs may be what somebody typed, which the second pass keeps.
  return (REFUSED.test(text) ? JSON.stringify(value, (_name, part) => storable(part)) : text) as JsonText
}

function storable(part: unknown): unknown {
  if (typeof part === 'string') return storableText(part)
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
  if (Object.keys(part).every((name) => storableText(name) === name)) return part
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [storableText(name), value]))
}
