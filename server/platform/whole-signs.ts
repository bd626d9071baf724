const HALF = /\\ud[89a-f]/i
/** Every escape in its turn, so that a backslash which is itself escaped begins none. */
const ESCAPES = /\\(?:u(d[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|d[89a-f][\da-f]{2})|.)/gis

/**
 * JSON from outside without halves of signs, as programs leave them that cut an emoji in two. The database keeps them in no
 * document, so a visitor with such a name would be met by a fault; each becomes the sign for what cannot be read.
 */
export function withWholeSigns(json: string): string {
  if (!HALF.test(json)) return json
  return json.replace(ESCAPES, (escaped, sign?: string) => (sign?.length === 4 ? '\\ufffd' : escaped))
}
