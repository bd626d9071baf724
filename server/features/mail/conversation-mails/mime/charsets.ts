import iconv from 'iconv-lite'

/** Labels of mail programs that no library knows, in the form that `normalize` gives them. */
const ALIASES: Record<string, string> = {
  cp932: 'shift_jis',
  mscp932: 'shift_jis',
  xmscp932: 'shift_jis',
  xsjiscp932: 'shift_jis',
  xshiftjis: 'shift_jis',
  windows932: 'shift_jis',
  shiftjis2004: 'shift_jis',
  shiftjisx0213: 'shift_jis',
  cp50220: 'iso-2022-jp',
  cp50221: 'iso-2022-jp',
  cp50222: 'iso-2022-jp',
  iso2022jp1: 'iso-2022-jp',
  iso2022jp2: 'iso-2022-jp',
  iso2022jp3: 'iso-2022-jp',
  iso2022jp2004: 'iso-2022-jp',
  iso2022jpms: 'iso-2022-jp',
  jis: 'iso-2022-jp',
  jis7: 'iso-2022-jp',
  cp51932: 'euc-jp',
  eucjpms: 'euc-jp',
  eucjpwin: 'euc-jp',
  ujis: 'euc-jp',
  cp949: 'euc-kr',
  uhc: 'euc-kr',
  xwindows949: 'euc-kr',
  ksc56011987: 'euc-kr',
  kscx56011987: 'euc-kr',
  ksc5601: 'euc-kr',
  iso2022kr: 'iso-2022-kr',
  cp936: 'gb18030',
  ms936: 'gb18030',
  xgbk: 'gb18030',
  gb2312: 'gb18030',
  gbk: 'gb18030',
  gb23121980: 'gb18030',
  euccn: 'gb18030',
  hz: 'hz-gb-2312',
  hzgb2312: 'hz-gb-2312',
  iso2022cn: 'iso-2022-cn',
  cp950: 'big5',
  big5eten: 'big5',
  xbig5: 'big5',
  euctw: 'big5',
  tis620: 'windows-874',
  cp874: 'windows-874',
  iso885911: 'windows-874',
  cp65001: 'utf-8',
  utf8: 'utf-8',
  utf8mb4: 'utf-8',
  unicode11utf8: 'utf-8',
  unicode: 'utf-16',
  ucs2: 'utf-16',
  iso10646ucs2: 'utf-16',
  unicode11utf7: 'utf-7',
  xunicode20utf7: 'utf-7',
  csunicode11utf7: 'utf-7',
  xmaccyrillic: 'x-mac-cyrillic',
  xmacroman: 'macintosh',
  mac: 'macintosh',
  macroman: 'macintosh',
  applesymbol: 'macintosh',
  xmacce: 'maccenteuro',
  xmaccentraleurroman: 'maccenteuro',
  latin9: 'iso-8859-15',
  cp1258: 'windows-1258',
}
/** Labels that say nothing, or less than the bytes do. */
const MEANINGLESS = new Set(
  [
    '',
    'usascii',
    'ascii',
    'ansix341968',
    'ansix341986',
    'iso646us',
    'us',
    'binary',
    '7bit',
    '8bit',
    'default',
    'none',
  ].concat([
    'xunknown',
    'unknown',
    'unknown8bit',
    'xuserdefined',
    'userdefined',
    'ansix31101983',
    'utf',
    'charset',
    'replacement',
  ]),
)
/** Programs often use these labels for texts in UTF-8. Real texts in them never form sequences of it. */
const OFTEN_WRONG = new Set(['iso-8859-1', 'windows-1252', 'iso-8859-15', 'latin1'])
const ESCAPE = 0x1b

/**
 * Decodes the bytes of a text by its label, and by what the bytes are where the label is missing, unknown or wrong. Never
 * throws; U+FFFD appears only where bytes are invalid in a charset other than UTF-8.
 */
export function decodeText(bytes: Uint8Array, label: string | undefined): string {
  const charset = charsetOf(label)
  const escaped = escapedCharset(bytes)
  if (escaped && (charset === undefined || charset === 'utf-8' || OFTEN_WRONG.has(charset)))
    return decodeAs(bytes, escaped)
  if (charset === 'utf-8') return decodeMixed(bytes)
  if (charset === undefined || OFTEN_WRONG.has(charset))
    return decodeUtf8(bytes) ?? decodeAs(bytes, charset ?? 'windows-1252')
  // Seven-bit text is not in 16-bit units, whatever it says.
  if (/^utf-(?:16|32)/.test(charset) && !bytes.includes(0) && isSevenBit(bytes)) return decodeMixed(bytes)
  const text = decodeAs(bytes, charset)
  return text.includes('\ufffd') ? (decodeUtf8(bytes) ?? text) : text
}

/** Whether a label names a charset that can be decoded. */
export function isKnownCharset(label: string | undefined): boolean {
  return charsetOf(label) !== undefined
}

/** The charset of a label in a form that can be decoded; undefined if it is missing, says nothing or is unknown. */
function charsetOf(label: string | undefined): string | undefined {
  const lower = (label ?? '').slice(0, 60).trim().toLowerCase()
  const key = normalize(lower)
  if (MEANINGLESS.has(key)) return undefined
  const alias = ALIASES[key]
  if (alias) return alias
  return [lower, lower.replaceAll('_', '-'), lower.replace(/^x-/, ''), key].find(canDecode)
}

function normalize(label: string): string {
  return label.replace(/[^a-z0-9]/g, '').replace(/^cs(?=iso|euc|shift|gb|big|ks|koi|win|ucs|utf)/, '')
}

function canDecode(charset: string): boolean {
  return isStandard(charset) || iconv.encodingExists(charset)
}

/** Whether browsers know a charset: their tables have the additions of Windows, which mails use. */
function isStandard(charset: string): boolean {
  try {
    return new TextDecoder(charset).encoding !== 'x-user-defined'
  } catch {
    return false
  }
}

function decodeAs(bytes: Uint8Array, charset: string): string {
  if (charset === 'hz-gb-2312') return decodeHz(bytes)
  if (charset === 'iso-2022-kr' || charset === 'iso-2022-cn') return decodeShifted(bytes, charset)
  if (charset !== 'utf-16' && isStandard(charset)) return new TextDecoder(charset).decode(bytes)
  return iconv.decode(Buffer.from(bytes), charset)
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The characters of Windows-1252 by their bytes, for single ones in a text of another charset. */
const WESTERN = [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))]

/** UTF-8; bytes that are none are read as Windows-1252, so that a text of both is readable. */
function decodeMixed(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes)
  if (text !== undefined) return text
  const pieces: string[] = []
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  let from = 0
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at)
    if (length === 0) {
      if (at > from) pieces.push(utf8.decode(bytes.subarray(from, at)))
      pieces.push(WESTERN[bytes[at]!]!)
      from = at + 1
    }
    at += length || 1
  }
  return pieces.join('') + utf8.decode(bytes.subarray(from))
}

/** The number of bytes of the character at a position; 0 if it is no UTF-8. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first < 0x80) return 1
  const second = bytes[at + 1] ?? 0
  const length = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  for (let next = 1; next < length; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0
  const isImpossible =
    (first === 0xe0 && second < 0xa0) ||
    (first === 0xed && second > 0x9f) ||
    (first === 0xf0 && second < 0x90) ||
    (first === 0xf4 && second > 0x8f)
  return isImpossible ? 0 : length
}

/** Escape sequences are in no other text, so they say more than any label. */
function escapedCharset(bytes: Uint8Array): string | undefined {
  for (let at = bytes.indexOf(ESCAPE); at >= 0; at = bytes.indexOf(ESCAPE, at + 1)) {
    const next = String.fromCharCode(...bytes.subarray(at + 1, at + 4))
    if (next === '$)C') return 'iso-2022-kr'
    if (next === '$)A' || next === '$)G') return 'iso-2022-cn'
    if (/^\$(?:[@B]|\([@BD])/.test(next) || /^\([IJ]/.test(next)) return 'iso-2022-jp'
  }
  return undefined
}

function isSevenBit(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80)
}

/** HZ: between `~{` and `~}` are the characters of GB 2312 without their highest bits. */
function decodeHz(bytes: Uint8Array): string {
  const out: number[] = []
  let isDouble = false
  for (let at = 0; at < bytes.length; at++) {
    const [byte = 0, next] = bytes.subarray(at, at + 2)
    if (byte !== 0x7e) {
      // An unclosed sequence ends with its line.
      if (byte === 0x0a) isDouble = false
      out.push(isDouble && byte > 0x20 ? byte | 0x80 : byte)
      continue
    }
    if (next === 0x7b) isDouble = true
    else if (next === 0x7d) isDouble = false
    else if (next === 0x7e) out.push(0x7e)
    else if (next !== 0x0a) {
      out.push(byte)
      continue
    }
    at++
  }
  return new TextDecoder('gb18030').decode(Uint8Array.from(out))
}

/** ISO-2022-KR and ISO-2022-CN: between the bytes 14 and 15 are characters without their highest bits. */
function decodeShifted(bytes: Uint8Array, charset: 'iso-2022-kr' | 'iso-2022-cn'): string {
  const out: number[] = []
  let isDouble = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === ESCAPE && bytes[at + 1] === 0x24) at += 3
    else if (byte === 0x0e) isDouble = true
    else if (byte === 0x0f) isDouble = false
    else {
      if (byte === 0x0a) isDouble = false
      out.push(isDouble && byte > 0x20 ? byte | 0x80 : byte)
    }
  }
  return new TextDecoder(charset === 'iso-2022-kr' ? 'euc-kr' : 'gb18030').decode(Uint8Array.from(out))
}
