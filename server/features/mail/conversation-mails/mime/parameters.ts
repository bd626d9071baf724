import { decodeText } from './charsets.ts'
import { decodeWords } from './encoded-words.ts'

/** A header with parameters, such as `text/plain; charset=utf-8`. */
export interface Parameterized {
  /** In lower case. */
  value: string
  /** By name in lower case, decoded. */
  parameters: Map<string, string>
}

const LENGTH_LIMIT = 20_000
const NAME = /^\s*([\w!#$&^.+-]+(?:\*\d{1,3})?\*?)\s*=\s*/
/** The next parameter, where the semicolon before it is missing. */
const NEXT = /\s+[\w-]+(?:\*\d{1,3})?\*?=/

/** Reads a header with parameters as forgivingly as mail programs do: semicolons and quotation marks may be missing. */
export function readParameterized(header: string): Parameterized {
  const whole = header.slice(0, LENGTH_LIMIT).trim()
  const text = /^=\?.*\?=$/.test(whole) ? decodeWords(whole) : whole
  const end = text.search(/[;,\s]/)
  const value = (end < 0 ? text : text.slice(0, end)).toLowerCase().replace(/^["']+|["']+$/g, '')
  return { value, parameters: joinContinued(splitParameters(end < 0 ? '' : text.slice(end))) }
}

function splitParameters(text: string): Map<string, string> {
  const parameters = new Map<string, string>()
  let remaining = text
  while (remaining) {
    remaining = remaining.replace(/^[;,\s]+/, '')
    const match = NAME.exec(remaining)
    if (!match) {
      const next = remaining.indexOf(';')
      remaining = next < 0 ? '' : remaining.slice(next)
      continue
    }
    const after = remaining.slice(match[0].length)
    const { value, length } = after.startsWith('"') ? quotedValue(after) : plainValue(after)
    const name = match[1]!.toLowerCase()
    if (!parameters.has(name)) parameters.set(name, value)
    remaining = after.slice(length)
  }
  return parameters
}

function quotedValue(text: string): { value: string; length: number } {
  let value = ''
  for (let at = 1; at < text.length; at++) {
    const char = text[at]!
    if (char === '"') return { value, length: at + 1 }
    // A backslash before anything else is one of a Windows path.
    if (char === '\\' && /["\\]/.test(text[at + 1] ?? '')) value += text[++at]
    else value += char
  }
  return plainValue(text.slice(1), 1)
}

function plainValue(text: string, before = 0): { value: string; length: number } {
  const semicolon = text.indexOf(';')
  const upTo = semicolon < 0 ? text : text.slice(0, semicolon)
  const next = upTo.search(NEXT)
  const value = next < 0 ? upTo : upTo.slice(0, next)
  return { value: value.trim().replace(/^'(.*)'$/, '$1'), length: before + value.length }
}

/** Long values are split and numbered, those with other letters encoded (RFC 2231); or both, or wrongly so. */
function joinContinued(parameters: Map<string, string>): Map<string, string> {
  const pieces = new Map<string, { at: number; value: string; isEncoded: boolean }[]>()
  for (const [key, value] of parameters) {
    const [, name = key, number, star] = /^([^*]+)(?:\*(\d+))?(\*)?$/.exec(key) ?? []
    const list = pieces.get(name) ?? []
    // The encoded form of a name is better than a plain one beside it.
    list.push({ at: number === undefined ? (star ? -1 : 1_000) : Number(number), value, isEncoded: star !== undefined })
    pieces.set(name, list)
  }
  return new Map([...pieces].map(([name, list]) => [name, joinPieces(list)]))
}

function joinPieces(list: { at: number; value: string; isEncoded: boolean }[]): string {
  const sorted = list.sort((a, b) => a.at - b.at)
  const numbered = sorted.filter(({ at }) => at >= 0 && at < 1_000)
  const [first] = sorted
  const used = first!.at === -1 || numbered.length === 0 ? [first!] : numbered
  if (!used.some(({ isEncoded }) => isEncoded)) return decodeWords(used.map(({ value }) => value).join(''))
  const [, charset, encoded] = /^([^']*)'[^']*'(.*)$/s.exec(used[0]!.value) ?? []
  const values = used.map((piece, at) => ({
    ...piece,
    value: at === 0 && encoded !== undefined ? encoded : piece.value,
  }))
  const bytes = values.map(({ value, isEncoded }) => (isEncoded ? percentDecoded(value) : Buffer.from(value, 'utf8')))
  return decodeText(Buffer.concat(bytes), charset)
}

function percentDecoded(value: string): Buffer {
  const pieces = value.split(/(%[0-9a-f]{2})/i)
  return Buffer.concat(
    pieces.map((piece, at) => (at % 2 ? Buffer.from(piece.slice(1), 'hex') : Buffer.from(piece, 'utf8'))),
  )
}
