import type { MailAddress } from './parse.ts'

/** Longer headers are cut: a list of 200 recipients has about 10,000 characters. */
const LENGTH_LIMIT = 50_000
const ADDRESSES_LIMIT = 200
const ENTRIES_LIMIT = 500
/** An address has at most 320 characters, and what surrounds it little more. */
const UNCLEANED_LIMIT = 1_000
const ADDRESS = /^[^\s@<>()",;:]+@[^\s@<>()",;:]+$/
const ENCODED_WORD = /=\?[^?\s]{1,60}\?[bq]\?[^?]*\?=/iy

/** One entry of a list, before its address is chosen. */
interface Entry {
  /** Text outside of brackets and comments, with quoted text. */
  texts: { value: string; isQuoted: boolean }[]
  comments: string[]
  bracketed: string[]
}

type Decode = (text: string) => string

/**
 * The addresses in a header, as a mail program shows them: what is in angle brackets counts, never what a comment or a
 * quoted name contains. Unclosed quotes, comments and brackets are taken for ordinary characters.
 */
export function readAddresses(header: string | undefined, decode: Decode): MailAddress[] {
  const value = (header ?? '').slice(0, LENGTH_LIMIT)
  const addresses = chooseAddresses(splitEntries(value), decode)
  if (addresses.length > 0 || !value.includes('=?')) return addresses
  // Some programs encode the whole header, brackets included. Without brackets it is a name, whatever it contains.
  const decoded = decode(value)
  return /<[^<>]+@[^<>]+>/.test(decoded) ? chooseAddresses(splitEntries(decoded), String) : []
}

/**
 * The only domain that a header names, comments and names included; undefined if there are several. For verdicts that do
 * not say for which of them they were given.
 */
export function readOnlyDomain(header: string | undefined, decode: Decode): string | undefined {
  const text = (header ?? '').slice(0, LENGTH_LIMIT)
  const named = `${text} ${decode(text)}`.matchAll(/@([^\s@<>()",;:\]]+)/g)
  const domains = new Set([...named].map(([, domain]) => domain!.replace(/['.]+$/, '').toLowerCase()))
  return domains.size === 1 ? [...domains][0] : undefined
}

function splitEntries(value: string): Entry[] {
  const closing = matchBrackets(value)
  const entries: Entry[] = []
  let entry: Entry = { texts: [], comments: [], bracketed: [] }
  const finish = () => {
    if (entry.texts.length + entry.comments.length + entry.bracketed.length > 0) entries.push(entry)
    entry = { texts: [], comments: [], bracketed: [] }
  }
  const addText = (text: string, isQuoted = false) => {
    const last = entry.texts.at(-1)
    if (last && !last.isQuoted && !isQuoted) last.value += text
    else entry.texts.push({ value: text, isQuoted })
  }
  for (let at = 0; at < value.length && entries.length < ENTRIES_LIMIT; at++) {
    const char = value[at]!
    const end = closing.get(at)
    ENCODED_WORD.lastIndex = at
    const [word] = char === '=' ? (ENCODED_WORD.exec(value) ?? []) : []
    if (word) addText(word)
    else if (end !== undefined && char === '(') entry.comments.push(value.slice(at + 1, end))
    else if (end !== undefined && char === '"') addText(withoutEscapes(value.slice(at + 1, end)), true)
    else if (end !== undefined && char === '<') entry.bracketed.push(value.slice(at + 1, end))
    else if (char === ',' || char === ';') finish()
    // The name of a group, or `mailto:`.
    else if (char === ':') entry.texts = []
    else if (!'<>"()'.includes(char)) addText(char)
    if (word) at += word.length - 1
    else if (end !== undefined) at = value[end] === ',' ? end - 1 : end
  }
  finish()
  return entries
}

/** Where each quotation, comment and address ends, in one pass, so that no header takes longer than its length. */
function matchBrackets(value: string): Map<number, number> {
  const closing = new Map<number, number>()
  const comments: number[] = []
  let [quote, bracket] = [-1, -1]
  for (let at = 0; at < value.length; at++) {
    const char = value[at]
    if (char === '\\') at++
    else if (quote >= 0) {
      if (char === '"') closing.set(quote, at)
      if (char === '"') quote = -1
    } else if (char === '"' && comments.length === 0 && value.indexOf('"', at + 1) > 0) quote = at
    else if (char === '(') comments.push(at)
    else if (char === ')' && comments.length > 0) closing.set(comments.pop()!, at)
    else if (char === '<') bracket = at
    else if (char === '>' && bracket >= 0) {
      closing.set(bracket, at)
      bracket = -1
    }
  }
  const comma = bracket >= 0 ? value.indexOf(',', bracket) : -1
  if (bracket >= 0) closing.set(bracket, comma >= 0 ? comma : value.length)
  return closing
}

function chooseAddresses(entries: Entry[], decode: Decode): MailAddress[] {
  const addresses: MailAddress[] = []
  let before = ''
  for (const entry of entries) {
    const address = addressOf(entry)
    const name = nameOf(entry, address, decode)
    if (address) {
      // `Ilves, Mara <mara@…>` is one person, whose name needed quotes.
      addresses.push({ address, name: [before, name].filter(Boolean).join(', ') || null })
      before = ''
    } else before = [before, name].filter(Boolean).join(', ')
    if (addresses.length === ADDRESSES_LIMIT) break
  }
  return addresses
}

function addressOf({ texts, bracketed }: Entry): string | undefined {
  const inBrackets = bracketed.map(cleanAddress).findLast(isAddress)
  if (inBrackets) return inBrackets
  const plain = texts.filter(({ isQuoted }) => !isQuoted).flatMap(({ value }) => value.split(/\s+/))
  const bare = plain.map(cleanAddress).findLast(isAddress)
  if (bare) return bare
  // `"mara@customer.example"`: only quoted, and nothing else that could be meant.
  const [only] = texts.filter(({ value }) => value.trim())
  const isOnly = texts.filter(({ value }) => value.trim()).length === 1 && bracketed.length === 0
  const quoted = only && isOnly ? cleanAddress(only.value) : undefined
  return isAddress(quoted) ? quoted : undefined
}

function isAddress(text: string | undefined): text is string {
  return text !== undefined && ADDRESS.test(text) && text.length <= 320
}

/** Without source route, comments, `mailto:`, and quotes or apostrophes around it. */
function cleanAddress(text: string): string {
  // So that no expression below takes long.
  if (text.length > UNCLEANED_LIMIT) return ''
  const bare = text
    .replace(/\([^()]*\)/g, '')
    .replace(/^\s*@[^:]*:/, '')
    .replace(/^\s*mailto:/i, '')
    .replace(/[\p{Cc}]+/gu, ' ')
    .replace(/\s*@\s*/, '@')
    .trim()
    .toLowerCase()
    .replace(/^([^[]*?)[\].]+$/, '$1')
  return bare.replace(/^(["'`])(.*)\1$/, '$2').trim()
}

function nameOf({ texts, comments }: Entry, address: string | undefined, decode: Decode): string {
  const outside = texts.map(({ value, isQuoted }) => (isQuoted ? value : withoutAddress(value, address))).join(' ')
  const name = outside.trim() ? outside : comments.join(' ')
  const clean = decode(name)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return clean.toLowerCase() === address ? '' : clean
}

function withoutAddress(text: string, address: string | undefined): string {
  return text
    .split(/(\s+)/)
    .filter((word) => !address || cleanAddress(word) !== address)
    .join('')
}

function withoutEscapes(text: string): string {
  return text.replace(/\\(.)/g, '$1')
}
