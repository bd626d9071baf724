import { decodeText, isKnownCharset } from './charsets.ts'
import { decodeQuoted } from './transfer.ts'

const WORD = /=\?([^?\s]{1,80})\?([bq])\?([^?]{0,20000})\?=/gi
/** Longer headers are decoded only to here. */
const LENGTH_LIMIT = 60_000

interface Word {
  charset: string
  bytes: Uint8Array
}

/**
 * Decodes the encoded words in a header. Adjacent words of one charset are decoded together, because some programs split
 * characters between them. Bytes that are not encoded stay what they are.
 */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return text
  const value = text.slice(0, LENGTH_LIMIT)
  const pieces: (string | Word)[] = []
  let from = 0
  for (const match of value.matchAll(WORD)) {
    const [all, label = '', encoding, payload = ''] = match
    const between = value.slice(from, match.index)
    const isAfterWord = typeof pieces.at(-1) === 'object'
    if (!(isAfterWord && /^\s*$/.test(between))) pieces.push(between)
    addWord(pieces, label.split('*', 1)[0]!, encoding!.toLowerCase(), payload)
    from = match.index + all.length
  }
  pieces.push(value.slice(from))
  return (
    pieces.map((piece) => (typeof piece === 'string' ? piece : decodeText(piece.bytes, piece.charset))).join('') +
    text.slice(LENGTH_LIMIT)
  )
}

function addWord(pieces: (string | Word)[], charset: string, encoding: string, payload: string): void {
  if (encoding === 'b') {
    addBytes(pieces, charset, Buffer.from(payload, 'base64'))
    return
  }
  // Characters beyond ASCII should not be here. They are decoded already, so they stay as they are.
  for (const part of payload.match(/[\0-\x7f]+|[^\0-\x7f]+/g) ?? []) {
    if (part.charCodeAt(0) < 0x80)
      addBytes(pieces, charset, decodeQuoted(Buffer.from(part.replaceAll('_', ' '), 'latin1'), 'word'))
    else pieces.push(part)
  }
}

function addBytes(pieces: (string | Word)[], charset: string, bytes: Uint8Array): void {
  const last = pieces.at(-1)
  const isSame = typeof last === 'object' && last.charset.toLowerCase() === charset.toLowerCase()
  // A stateful charset ends each word in its initial state, so its words are decoded apart.
  if (isSame && isKnownCharset(charset) && !/2022|hz|utf-7/i.test(charset))
    last.bytes = Buffer.concat([last.bytes, bytes])
  else pieces.push({ charset, bytes })
}
