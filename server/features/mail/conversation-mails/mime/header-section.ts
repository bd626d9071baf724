import { decodeText } from './charsets.ts'

const LINE_FEED = 0x0a
const FIELD = /^([!-9;-~]+)[ \t]*:/

/** How much may still be read; shared by all header sections of a mail. */
export interface HeaderBudget {
  bytes: number
  lines: number
}

export interface HeaderSection {
  /** Names in lower case, values unfolded, in their order. */
  fields: [name: string, value: string][]
  /** Where the body begins. */
  end: number
  /** The budget did not suffice. */
  isTooLong: boolean
}

/**
 * Reads the header section of a mail (`isRoot`) or of a part. Before the header of a mail there may be a byte order mark,
 * empty lines, and the line by which mailbox files begin. A line that is no header ends the section as an empty one does.
 */
export function readHeaderSection(bytes: Buffer, budget: HeaderBudget, isRoot: boolean): HeaderSection {
  const fields: { name: string; lines: string[] }[] = []
  const finish = (end: number, isTooLong = false): HeaderSection => ({
    fields: fields.map(({ name, lines }) => [name, decodeRaw(lines.join(''))]),
    end,
    isTooLong,
  })
  let at = isRoot && bytes.toString('latin1', 0, 3) === '\xef\xbb\xbf' ? 3 : 0
  while (at < bytes.length) {
    const next = endOf(bytes, at)
    budget.bytes -= next - at
    budget.lines--
    if (budget.bytes < 0 || budget.lines < 0) return finish(at, true)
    const line = bytes.toString('latin1', at, next).replace(/\r?\n$/, '')
    const name = FIELD.exec(line)?.[1]?.toLowerCase()
    const current = fields.at(-1)
    if (name) fields.push({ name, lines: [line.slice(line.indexOf(':') + 1)] })
    else if (line === '' && !(isRoot && fields.length === 0)) return finish(next)
    else if (line.trim() === '') {
      // A line of spaces inside the header; or the end of it, if what follows is no header.
      if (fields.length > 0 && !continues(bytes, next)) return finish(next)
      if (!isRoot && fields.length === 0) return finish(next)
    } else if (/^[ \t]/.test(line)) {
      if (!current && !isRoot) return finish(at)
      current?.lines.push(line)
    } else if (!(isRoot && /^>?From /.test(line))) {
      // A server may have broken a long header without an indent.
      if (!continues(bytes, next) || line.startsWith('--')) return finish(at)
      current?.lines.push(` ${line}`)
    }
    at = next
  }
  return finish(bytes.length)
}

function endOf(bytes: Buffer, from: number): number {
  const newline = bytes.indexOf(LINE_FEED, from)
  return newline < 0 ? bytes.length : newline + 1
}

/** Whether the line at a position belongs to a header section. */
function continues(bytes: Buffer, from: number): boolean {
  const line = bytes.toString('latin1', from, Math.min(endOf(bytes, from), from + 200))
  return /^[ \t]/.test(line) || isField(line)
}

function isField(line: string): boolean {
  return FIELD.test(line) && !/^[a-z]+:\/\//i.test(line)
}

/** Headers should be ASCII. Programs write UTF-8 or the charset of their system. */
function decodeRaw(value: string): string {
  return /[\x80-\xff]/.test(value) || value.includes('\x1b')
    ? decodeText(Buffer.from(value, 'latin1'), undefined)
    : value
}
