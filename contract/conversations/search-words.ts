import type { SearchPart } from './search-query.ts'

// Turns text into the words that search compares. The database stores the same words (`fold_text` and `words_of` in its
// migrations), which tests check for several locales. Here the position of each word is kept, for highlighting.

/** A folded word, and its position in the original text, in UTF-16 units. */
export interface FoldedWord {
  word: string
  start: number
  end: number
}

/** From `start` up to, not including, `end`. */
export interface TextRange {
  start: number
  end: number
}

// As strings, because regular expression literals would contain bare accents and control characters.
const MARKS = new RegExp(
  '[\\u00ad\\u0300-\\u036f\\u0591-\\u05c7\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u200b-\\u200d\\u2060' +
    '\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufe20-\\ufe2f\\ufeff]+',
  'gu',
)
const SEPARATORS = new RegExp(
  '[\\u0000-\\u002f\\u003a-\\u0060\\u007b-\\u00a9\\u00ab-\\u00b4\\u00b6-\\u00b9\\u00bb-\\u00bf\\u00d7\\u00f7' +
    '\\u0589\\u060c\\u061b\\u061f\\u06d4\\u0964\\u0965\\u0e2f\\u0e5a\\u0e5b\\u0f0b-\\u0f14\\u104a\\u104b\\u1361-\\u1368' +
    '\\u17d4-\\u17d6\\u17d8-\\u17da' +
    '\\u2000-\\u206f\\u20a0-\\u20cf\\u2190-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3007-\\u3030' +
    '\\ufe10-\\ufe1f\\ufe30-\\ufe6f\\uff00-\\uff0f\\ufff0-\\uffff\\u{1f000}-\\u{1faff}]+',
  'gu',
)
/** Scripts that are written without blanks, from Thai to Khmer and Chinese: every character counts as a word. */
const SIGNS =
  /[\u0e01-\u0e2e\u0e30-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u0f40-\u0fbc\u1000-\u103f\u1050-\u108f\u1780-\u17d3\u17d7\u17dc\u17dd\u1950-\u19df\u2e80-\u2fff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/gu
const LETTERS: Record<string, string> = {
  đ: 'd',
  ł: 'l',
  ø: 'o',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ð: 'd',
  ς: 'σ',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
}
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** The folded words of a text in order, with their positions. `Đà Nẵng!` gives `da` and `nang`. */
export function foldWords(text: string): FoldedWord[] {
  const words: FoldedWord[] = []
  // Texts repeat their letters, and folding one is slow.
  const cache = new Map<string, string[]>()
  let open: FoldedWord | undefined
  let at = 0
  // Plain letters and digits as many as there are, others one by one with the marks that follow, because the database
  // sorts these.
  for (const [token, plain] of text.matchAll(/([0-9A-Za-z]+)(?!\p{M})|\P{M}\p{M}*|\p{M}+/gu)) {
    const start = at
    at += token.length
    const pieces = plain
      ? [plain.toLowerCase()]
      : (cache.get(token) ?? foldCharacter(token).split(/( )/).filter(Boolean))
    if (!plain) cache.set(token, pieces)
    // Combining marks belong to the letter before, so that a separately typed accent is highlighted too.
    if (pieces.length === 0 && open) open.end = at
    for (const piece of pieces) {
      if (piece === ' ') {
        open = undefined
        continue
      }
      if (!open) {
        open = { word: '', start, end: at }
        words.push(open)
      }
      open.word += piece
      open.end = at
    }
  }
  return words.flatMap(splitNumber)
}

/** The database reads `4e6` in `4e6a` as a number and `a` as the next word. */
function splitNumber(folded: FoldedWord): FoldedWord[] {
  const { word, start, end } = folded
  const [number] = /^[0-9]+e[0-9]+(?=[^0-9])/.exec(word) ?? []
  if (!number) return [folded]
  // Where letters have other lengths than their folded forms, both words stand for all of the text.
  const middle = end - start === word.length ? start + number.length : undefined
  return [
    { word: number, start, end: middle ?? end },
    { word: word.slice(number.length), start: middle ?? start, end },
  ]
}

/** The folded letter, a blank for word separators, nothing for accents. */
function foldCharacter(char: string): string {
  const code = char.charCodeAt(0)
  if (code < 128 && char.length === 1) {
    const isWord = (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
    if (isWord) return char
    return code >= 65 && code <= 90 ? char.toLowerCase() : ' '
  }
  return char
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(LETTER, (letter) => LETTERS[letter]!)
    .replace(SEPARATORS, ' ')
    .replace(SIGNS, ' $& ')
}

/**
 * Where the words of a search occur in a text, in order and without overlap. A typed word matches the beginning of a
 * word and highlights all of it; a phrase, or a typed word with several parts (`LO-2012`), highlights from first to
 * last.
 */
export function findMatches(text: string, parts: SearchPart[]): TextRange[] {
  const words = foldWords(text)
  const ranges = parts.flatMap((part) => {
    if (part.kind === 'operator') return []
    const sequence = foldWords(part.value).map(({ word }) => word)
    return sequence.length > 0 ? findSequence(words, sequence, part.kind === 'word') : []
  })
  return joinRanges(ranges)
}

function findSequence(words: FoldedWord[], sequence: string[], endsOpen: boolean): TextRange[] {
  const last = sequence.length - 1
  const matches = (at: number) =>
    sequence.every((want, i) => {
      const word = words[at + i]?.word
      return i === last && endsOpen ? word?.startsWith(want) : word === want
    })
  return words.flatMap(({ start }, at) => (matches(at) ? [{ start, end: words[at + last]!.end }] : []))
}

function joinRanges(ranges: TextRange[]): TextRange[] {
  const joined: TextRange[] = []
  for (const range of ranges.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const before = joined.at(-1)
    if (before && range.start < before.end) before.end = Math.max(before.end, range.end)
    else joined.push({ ...range })
  }
  return joined
}
