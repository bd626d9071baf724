/** The text is no JSON, or is nested too deeply. */
export class NotJson extends Error {}

/** Escapes may contain lone surrogates, or spell `__proto__`. */
const NEEDS_CARE = /\\u|__proto__/i
/** An escape, with its code if the character is beyond ASCII, which most programs escape without need. */
const ESCAPE = /\\(?:u(?!00[0-7])([0-9a-f]{4})|.)/gis

/**
 * Parses untrusted JSON in linear time. Lone surrogates, left by programs that cut an emoji in two, become replacement
 * characters, because the database cannot store them in JSON; a field named `__proto__` is dropped, because copying it
 * would change an object's prototype.
 * @throws NotJson
 */
export function parseJson(text: string, deepest: number): unknown {
  return parse(text, deepest, (part) => part.toWellFormed())
}

/** No answer that we understand is nested more deeply. */
const DEEPEST_ANSWER = 100

/**
 * Parses JSON that another system sent, as `parseJson` does, and without NUL characters: nobody there could be told that
 * we refuse them. Undefined if it is no JSON.
 */
export function parseForeignJson(text: string): unknown {
  try {
    return parse(text, DEEPEST_ANSWER, storableText)
  } catch (error) {
    if (error instanceof NotJson) return undefined
    throw error
  }
}

/** A text as the database can store it: without NUL characters and halves of characters. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '')
}

type Tidy = (text: string) => string

function parse(text: string, deepest: number, tidy: Tidy): unknown {
  if (isDeeper(text, deepest)) throw new NotJson(`It is nested more than ${deepest} levels deep.`)
  const root = { value: readJson(text) }
  if (NEEDS_CARE.test(text)) clean(root, tidy)
  return root.value
}

function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return text.includes('\\u') ? JSON.parse(withoutEscapes(text)) : value
  } catch {
    throw new NotJson('It is not valid JSON.')
  }
}

/**
 * Valid JSON with characters beyond ASCII in place of their escapes. Once Node has read an object with the key `"caf\\"`,
 * it reads the key `"caf\u00e9"` of a similar object as the same (nodejs/node#63785), so a stranger could change the keys
 * of others.
 */
function withoutEscapes(json: string): string {
  return json.replace(ESCAPE, (written, code: string | undefined) =>
    code === undefined ? written : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** Cleans everything reachable from an object, without recursion. */
function clean(root: object, tidy: Tidy) {
  const pending: object[] = [root]
  for (let object = pending.pop(); object; object = pending.pop()) {
    for (const name of Object.keys(object)) {
      const value: unknown = Reflect.get(object, name)
      const tidied = typeof value === 'string' ? tidy(value) : value
      const tidiedName = tidy(name)
      if (name === '__proto__' || tidiedName === '__proto__') Reflect.deleteProperty(object, name)
      else if (tidiedName !== name) {
        Reflect.deleteProperty(object, name)
        Reflect.set(object, tidiedName, tidied)
      } else if (tidied !== value) Reflect.set(object, name, tidied)
      if (typeof value === 'object' && value !== null) pending.push(value)
    }
  }
}

/** Deeper nesting overflows the stack of later code: JSON.stringify, a schema, the database. */
function isDeeper(text: string, deepest: number): boolean {
  if (text.length <= deepest) return false
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') index = endOfString(text, index)
    else if (character === '[' || character === '{') {
      if (++depth > deepest) return true
    } else if (character === ']' || character === '}') depth--
  }
  return false
}

/** Where the string ends that begins at `start`. A mail or a file may be one, so it is not looked through by character. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}
