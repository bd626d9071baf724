import { decodeText } from './charsets.ts'

const MAGIC = 0x75465a4c
const UNCOMPRESSED = 0x414c454d
const INITIAL =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx'
const OUTPUT_LIMIT = 4_000_000

/** Decompresses the RTF in which Outlook sends texts; undefined if it is none. */
export function decompressRtf(bytes: Buffer): string | undefined {
  if (bytes.length < 16) return undefined
  const kind = bytes.readUInt32LE(8)
  const size = Math.min(bytes.readUInt32LE(4), OUTPUT_LIMIT)
  if (kind === UNCOMPRESSED) return bytes.toString('latin1', 16, 16 + size)
  if (kind !== MAGIC) return undefined
  const out = Buffer.alloc(size)
  const window = Buffer.alloc(4096, 0x20)
  window.write(INITIAL, 'latin1')
  let [write, length, at] = [INITIAL.length, 0, 16]
  const add = (byte: number) => {
    if (length < size) out[length++] = byte
    window[write] = byte
    write = (write + 1) % 4096
  }
  while (at < bytes.length && length < size) {
    const flags = bytes[at++]!
    for (let bit = 0; bit < 8 && at < bytes.length; bit++) {
      if (!(flags & (1 << bit))) {
        add(bytes[at++]!)
        continue
      }
      const pair = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
      at += 2
      const from = pair >> 4
      if (from === write) return out.toString('latin1', 0, length)
      for (let count = 0; count < (pair & 15) + 2; count++) add(window[(from + count) % 4096]!)
    }
  }
  return out.toString('latin1', 0, length)
}

/** Groups whose content is no text. */
const SILENT = new Set(
  'fonttbl colortbl stylesheet info pict header footer headerl headerr footerl footerr listtable listoverridetable generator themedata datastore latentstyles object mmathPr xmlnstbl pntext rsidtbl'.split(
    ' ',
  ),
)
const CHARACTERS: Record<string, string> = {
  par: '\n',
  line: '\n',
  row: '\n',
  cell: '\t',
  tab: '\t',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  endash: '–',
  emdash: '—',
  emspace: ' ',
  enspace: ' ',
}
const TOKEN = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z'])|([{}])|([^\\{}\r\n]+)|[\r\n\\]/gi

interface Group {
  isSilent: boolean
  isHtmlTag: boolean
  isRtfOnly: boolean
  skipped: number
}

/** The text of an RTF document, or the HTML from which Outlook made it. */
export function readRtf(rtf: string): { text: string; isHtml: boolean } {
  const isHtml = /\\fromhtml1\b/.test(rtf.slice(0, 2_000))
  const charset = `windows-${/\\ansicpg(\d{3,5})/.exec(rtf.slice(0, 2_000))?.[1] ?? 1252}`
  const pieces: string[] = []
  let bytes: number[] = []
  let group: Group = { isSilent: false, isHtmlTag: false, isRtfOnly: false, skipped: 1 }
  const groups: Group[] = []
  let toSkip = 0
  const flush = () => {
    if (bytes.length > 0) pieces.push(decodeText(Uint8Array.from(bytes), charset))
    bytes = []
  }
  const add = (text: string) => {
    if (group.isSilent || (isHtml && group.isRtfOnly)) return
    flush()
    pieces.push(text)
  }
  for (const [, word, number, hex, symbol, brace, plain] of rtf.matchAll(TOKEN)) {
    if (brace === '{') groups.push({ ...group })
    else if (brace === '}') group = groups.pop() ?? group
    else if (hex !== undefined) {
      if (toSkip > 0) toSkip--
      else if (!group.isSilent && !(isHtml && group.isRtfOnly)) bytes.push(Number.parseInt(hex, 16))
    } else if (plain !== undefined) {
      const kept = plain.slice(toSkip)
      toSkip = Math.max(0, toSkip - plain.length)
      if (kept) add(kept)
    } else if (symbol !== undefined) {
      if (symbol === '*') group.isSilent = true
      else if (symbol === '~') add('\u00a0')
      else if ('{}\\'.includes(symbol)) add(symbol)
    } else if (word !== undefined) {
      const name = word.toLowerCase()
      if (name === 'htmltag') Object.assign(group, { isSilent: false, isHtmlTag: true })
      else if (SILENT.has(word)) group.isSilent = true
      else if (name === 'htmlrtf') group.isRtfOnly = number !== '0'
      else if (name === 'uc') group.skipped = Math.min(Number(number ?? 1), 10)
      else if (name === 'u' && number) {
        add(String.fromCharCode((Number(number) + 0x1_0000) % 0x1_0000))
        toSkip = group.skipped
      } else if (CHARACTERS[name]) add(CHARACTERS[name])
    }
  }
  flush()
  return { text: pieces.join(''), isHtml }
}
