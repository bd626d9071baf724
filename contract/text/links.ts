import { parseUrl } from '../parse-url.ts'

/** A link in a text, and its position. */
export interface Link {
  href: string
  text: string
  /** Start index in the text. */
  at: number
}

/** No browser or server accepts much more. */
const MAX_LENGTH = 4_000

/** What ends a link everywhere: blanks, control and hidden characters, and signs that stand between texts. */
const BREAK =
  '\\s\\p{Cc}\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2064\\u2066-\\u206f<>`\\uff5c'
/** What ends a link unless it is within a pair of brackets or quotation marks: the marks themselves, and ends of sentences. */
const BRACKETS = `()[\\]{}"'‘’“”„‚«»‹›（）［］｛｝「」『』【】《》〈〉〔〕〖〗`
const STOP = '。、，．！？；：…،؛؟۔।॥።၊။។៕'
const LETTER = `[^${BREAK}\\p{P}$+=^|~]`

// Mail addresses come first: `www.ada@shop.example` is one. Lengths are bounded: otherwise a long text of dots and letters
// would take quadratic time.
const START =
  /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[a-z]{2,24}\b|(?<![a-z0-9])(?:https?:\/\/|(?<![.:/@_-])www\.)/gi
const LOGIN = new RegExp(`[^${BREAK}@/()[\\]]{1,256}@`, 'uy')
const HOST = new RegExp(`${LETTER}(?:-*${LETTER})*(?:\\.${LETTER}(?:-*${LETTER})*)*`, 'uy')
/** Not a dot, but letters of a language without blanks follow at once: `https://shop.example에서`. */
const AFTER_TOP_LEVEL = /(?<=\.[a-z]{2,24})[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\ud7ff].*$/i
const PORT = /:(?:[1-5]?\d{1,4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])(?!\d)/y
/** A name that goes on like this is none. */
const BROKEN = /[-_@]|:\d|\.-/y
const PLAIN = new RegExp(`[^${BREAK}${BRACKETS}${STOP}]+`, 'uy')
const APOSTROPHE = new RegExp(`['’](?=${LETTER}|-)`, 'uy')
/** An apostrophe within a word is no quotation mark. */
const PAIRED = new RegExp(`(?!(?<=${LETTER})['’](?:${LETTER}|-))[${BRACKETS}]|[${BREAK}]`, 'gu')
/** The opening sign of each closing one. */
const OPENING: Record<string, string | undefined> = Object.fromEntries(
  `() [] {} （） ［］ ｛｝ 「」 『』 【】 《》 〈〉 〔〕 〖〗 “” «» "" ''`
    .split(' ')
    .map(([open, close]) => [close, open]),
)
const TRAILING = /[.,;:!?*~|]+$/

/**
 * The links in a text, in order: web addresses that begin with `http://`, `https://` or `www.`, and mail addresses. The rule
 * is that of linkify-it, except that punctuation of other languages does not belong to a link either.
 * Takes linear time.
 */
export function findLinks(text: string): Link[] {
  const links: Link[] = []
  let pairs: Map<number, number> | undefined
  START.lastIndex = 0
  for (let start = START.exec(text); start; start = START.exec(text)) {
    const { 0: matched, index: at } = start
    if (matched.includes('@')) {
      links.push({ href: `mailto:${matched}`, text: matched, at })
      continue
    }
    pairs ??= pairsIn(text)
    const end = endOfAddress(text, at, matched, pairs) ?? at
    const shown = withoutEmphasis(text, at, end)
    if (shown) links.push({ href: withScheme(shown), text: shown, at })
    START.lastIndex = Math.max(at + matched.length, shown ? at + shown.length : end)
  }
  return links
}

/** The target of a link written as `[text](address)`, or undefined if it is no web or mail address. */
export function safeHref(address: string): string | undefined {
  const full = withScheme(address)
  return /^(https?:\/\/|mailto:)/i.test(full) && parseUrl(full) ? full : undefined
}

function withScheme(address: string): string {
  return /^www\./i.test(address) ? `https://${address}` : address
}

/** Where the web address ends that begins at an index; undefined if it is none. */
function endOfAddress(text: string, start: number, scheme: string, pairs: Map<number, number>): number | undefined {
  const isWww = !scheme.endsWith('/')
  const from = start + scheme.length
  const at = isWww ? from : skip(LOGIN, text, from)
  const [host] = exec(HOST, text, at) ?? []
  if (!host || (isWww && !host.includes('.'))) return undefined
  const name = host.replace(AFTER_TOP_LEVEL, '')
  const end = skip(PORT, text, at + name.length)
  const isBroken = name === host && exec(BROKEN, text, end) && !(text[end] === '_' && text[start - 1] === '_')
  return isBroken ? undefined : endOfPath(text, end, start + MAX_LENGTH, pairs)
}

function endOfPath(text: string, from: number, limit: number, pairs: Map<number, number>): number {
  if (!'/?#'.includes(text[from] || ' ')) return from
  let at = from
  for (let before = -1; at > before && at < limit; ) {
    before = at
    const pair = pairs.get(at)
    at = pair ? pair + 1 : skip(PLAIN, text, at)
    if (at === before) at = skip(APOSTROPHE, text, at)
  }
  const path = text.slice(from, at).replace(TRAILING, '')
  return path === '#' ? from : from + path.length
}

/** `_https://shop.example/_` is emphasised. With the sign on one side only, the address is part of something else. */
function withoutEmphasis(text: string, start: number, end: number): string {
  const mark = /_{0,2}$/.exec(text.slice(Math.max(0, start - 2), start))![0]
  const shown = text.slice(start, end)
  if (!mark || text.startsWith(mark, end)) return shown
  return shown.endsWith(mark) ? shown.slice(0, -mark.length) : ''
}

/** Pairs of brackets and of quotation marks without a blank between them: the index of each opening sign, and of its closing one. */
function pairsIn(text: string): Map<number, number> {
  const pairs = new Map<number, number>()
  let open: number[] = []
  let counts: Record<string, number> = {}
  for (const { 0: char, index: at } of text.matchAll(PAIRED)) {
    const opening = OPENING[char]
    if (opening && counts[opening]) {
      let start: number
      do {
        start = open.pop()!
        counts[text[start]!]!--
      } while (text[start] !== opening)
      pairs.set(start, at)
    } else if (BRACKET.test(char)) {
      open.push(at)
      counts[char] = (counts[char] ?? 0) + 1
    } else {
      open = []
      counts = {}
    }
  }
  return pairs
}

const BRACKET = new RegExp(`[${BRACKETS}]`)

function exec(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** The index behind a match at an index, or the index itself. */
function skip(pattern: RegExp, text: string, at: number): number {
  return exec(pattern, text, at) ? pattern.lastIndex : at
}
