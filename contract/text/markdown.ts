import { type Inline, parseInline, parseLinks } from './inline.ts'

/**
 * The block types of a message. There is none for HTML, which stays text. Headings are drawn as paragraphs of normal
 * size. `apart`: whether a blank line stands before it.
 */
export type Block = { apart?: boolean } & (
  | { type: 'paragraph' | 'heading'; children: Inline[] }
  | { type: 'quote'; children: Block[] }
  | { type: 'list'; start: number | null; items: Block[][] }
  | { type: 'code'; text: string }
)

/** Deep enough for real messages; thousands of `>` must not exhaust the browser. */
const MAX_DEPTH = 6

const FENCE = /^ {0,3}(`{3,}|~{3,})[^`]*$/
const HEADING = /^ {0,3}#{1,6}[ \t]+(?=\S)/
const QUOTE = /^ {0,3}>[ \t]?/
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])([ \t]{1,4})(?=\S)/

/** Parses the markdown of a message. Accepts any text, never throws, and takes linear time. */
export function parseMarkdown(text: string): Block[] {
  return parseBlocks(text.replace(/\r\n?/g, '\n').split('\n'), 0)
}

/** What decides how the text of a message is read. */
export interface Written {
  body: string | null
  customer_id: string | null
  source?: string
}

/**
 * Whether a text is shown as it was typed, apart from links. Customers mean no formatting by a path of Windows or a shrug;
 * only from these channels their messages arrive as Markdown.
 */
export function isTyped({ customer_id, source }: Omit<Written, 'body'>): boolean {
  return customer_id !== null && source !== 'slack' && source !== 'telegram'
}

/** The text of a message: its formatting, or of what a customer typed only the links. */
export function parseMessage(message: Written): Block[] {
  const text = message.body ?? ''
  if (!isTyped(message)) return parseMarkdown(text)
  return text.trim() ? [{ type: 'paragraph', children: parseLinks(text.trimEnd()) }] : []
}

function parseBlocks(lines: string[], depth: number): Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const { block, next } = readBlock(lines, at, depth)
    if (block) blocks.push(blocks.length > 0 && isBlank(lines[at - 1] ?? '') ? { ...block, apart: true } : block)
    at = next
  }
  return blocks
}

interface Read {
  block: Block | undefined
  /** Index of the line after it. */
  next: number
}

function readBlock(lines: string[], at: number, depth: number): Read {
  const line = lines[at] ?? ''
  if (isBlank(line)) return { block: undefined, next: at + 1 }
  if (FENCE.test(line)) return readCode(lines, at)
  if (HEADING.test(line)) {
    const title = line.replace(HEADING, '').replace(/(?<=[^ \t])[ \t]{1,100}#{1,100}[ \t]{0,100}$/, '')
    return { block: { type: 'heading', children: parseInline(title) }, next: at + 1 }
  }
  if (depth < MAX_DEPTH && QUOTE.test(line)) return readQuote(lines, at, depth)
  if (depth < MAX_DEPTH && ITEM.test(line)) return readList(lines, at, depth)
  return readParagraph(lines, at, depth)
}

/** A code block ends at its closing fence, or with the text. */
function readCode(lines: string[], at: number): Read {
  const fence = FENCE.exec(lines[at] ?? '')?.[1] ?? '```'
  const closes = (line: string) => {
    const trimmed = line.trim()
    return trimmed.length >= fence.length && trimmed === (fence[0] ?? '').repeat(trimmed.length)
  }
  let end = at + 1
  while (end < lines.length && !closes(lines[end] ?? '')) end++
  return { block: { type: 'code', text: lines.slice(at + 1, end).join('\n') }, next: end + 1 }
}

function readQuote(lines: string[], at: number, depth: number): Read {
  let end = at
  while (end < lines.length && QUOTE.test(lines[end] ?? '')) end++
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ''))
  return { block: { type: 'quote', children: parseBlocks(inner, depth + 1) }, next: end }
}

/** List items with the same kind of marker, including indented lines below each. Blank lines may separate them. */
function readList(lines: string[], at: number, depth: number): Read {
  const first = ITEM.exec(lines[at] ?? '')?.[2] ?? '-'
  const kind = first.at(-1)
  const items: Block[][] = []
  let next = at
  while (next < lines.length) {
    const match = ITEM.exec(lines[next] ?? '')
    if (!match || match[2]?.at(-1) !== kind) break
    const end = endOfItem(lines, next + 1, match[0].length)
    const inner = lines
      .slice(next, end)
      .map((line, line_at) => (line_at === 0 ? line.slice(match[0].length) : dedent(line, match[0].length)))
    items.push(parseBlocks(inner, depth + 1))
    next = end
    const following = skipBlank(lines, next)
    if (ITEM.exec(lines[following] ?? '')?.[2]?.at(-1) === kind) next = following
  }
  return { block: { type: 'list', start: /\d/.test(first) ? Number.parseInt(first, 10) : null, items }, next }
}

/** An item continues with indented lines, and with plain lines of its paragraph. */
function endOfItem(lines: string[], from: number, indent: number): number {
  let end = from
  while (end < lines.length) {
    const line = lines[end] ?? ''
    if (isBlank(line)) {
      const following = skipBlank(lines, end)
      if (following >= lines.length || indentOf(lines[following] ?? '') < Math.min(indent, 2)) return end
      end = following
    } else if (indentOf(line) < Math.min(indent, 2) && startsBlock(line)) return end
    else end++
  }
  return end
}

function readParagraph(lines: string[], at: number, depth: number): Read {
  let end = at + 1
  while (end < lines.length && !isBlank(lines[end] ?? '') && !(depth < MAX_DEPTH && interrupts(lines[end] ?? ''))) end++
  return { block: { type: 'paragraph', children: parseInline(lines.slice(at, end).join('\n').trimEnd()) }, next: end }
}

function startsBlock(line: string): boolean {
  return FENCE.test(line) || HEADING.test(line) || QUOTE.test(line) || ITEM.test(line)
}

/** A number inside a paragraph is more likely text than a list, unless it is 1. */
function interrupts(line: string): boolean {
  const marker = ITEM.exec(line)?.[2]
  return startsBlock(line) && !(marker && /\d/.test(marker) && Number.parseInt(marker, 10) !== 1)
}

function skipBlank(lines: string[], from: number): number {
  let at = from
  while (at < lines.length && isBlank(lines[at] ?? '')) at++
  return at
}

function dedent(line: string, indent: number): string {
  return line.slice(Math.min(indentOf(line), indent))
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function isBlank(line: string): boolean {
  return line.trim() === ''
}
