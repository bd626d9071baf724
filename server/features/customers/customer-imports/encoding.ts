import type { ImportEncoding } from '#contract/customers/customer-imports.ts'

/** Bytes by which UTF-16 without a byte order mark is recognised. */
const SAMPLE_BYTES = 2_000

/**
 * The character encoding of a text file: by its byte order mark, else UTF-16 if every other byte is mostly zero, else
 * UTF-8 if all bytes are valid, else Windows-1252, which spreadsheets in Western languages use.
 */
export function guessEncoding(bytes: Buffer): ImportEncoding {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return guessUtf16(bytes) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')
}

/** The text of a file. Bytes that the encoding does not have become U+FFFD. */
export function decodeText(bytes: Buffer, encoding: ImportEncoding): string {
  return new TextDecoder(encoding).decode(bytes)
}

function guessUtf16(bytes: Buffer): ImportEncoding | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]!++
  const [even = 0, odd = 0] = zeros
  // Text in Latin letters with separators; in a binary file both kinds of positions have zeros.
  const enough = sample.length / 8
  if (odd > enough && even === 0) return 'utf-16le'
  return even > enough && odd === 0 ? 'utf-16be' : undefined
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
