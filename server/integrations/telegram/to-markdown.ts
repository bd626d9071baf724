import type { Inline } from '#contract/text/inline.ts'
import { findLinks, safeHref } from '#contract/text/links.ts'
import { type Block, parseMarkdown } from '#contract/text/markdown.ts'
import type { Entity } from './entities.ts'

/** More levels than people use; a hostile text may nest thousands. */
const MAX_DEPTH = 8
const MAX_ENTITIES = 500
/** Others, such as names and hashtags, stay text. */
const SHOWN = ['bold', 'italic', 'strikethrough', 'code', 'pre', 'text_link', 'blockquote', 'expandable_blockquote']

interface Part extends Entity {
  children: Part[]
}

/**
 * A text of Telegram as the Markdown of a message. Never throws: entities that lie outside of the text, cross others or
 * have no meaning here are left out, and a text whose formatting cannot be expressed is shown without it.
 */
export function toMarkdown(text: string, entities: readonly Entity[] = []): string {
  const parts = nest(entities.filter(({ type }) => SHOWN.includes(type)).slice(0, MAX_ENTITIES), text.length)
  const whole = { type: 'text', offset: 0, length: text.length, children: parts }
  const written = parts.length > 0 ? writeChildren(text, whole) : text
  return [written, escapeMarks(text)].find((candidate) => isFaithful(candidate, text)) ?? escapeMarks(text)
}

/** Whether a Markdown text shows the same words. */
function isFaithful(markdown: string, text: string): boolean {
  return comparableTextOf(flatten(parseMarkdown(markdown))) === comparableTextOf(text)
}

/** Without what begins the lines of lists, quotes and headings, which blocks show in their own way. */
function comparableTextOf(text: string): string {
  return text.replaceAll(/[\s\d>#+.)-]/g, '')
}

function flatten(blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      if (block.type === 'code') return block.text
      if (block.type === 'quote') return flatten(block.children)
      return block.type === 'list' ? block.items.map(flatten).join('') : flattenInline(block.children)
    })
    .join('')
}

function flattenInline(parts: readonly Inline[]): string {
  return parts.map((part) => ('children' in part ? flattenInline(part.children) : part.text)).join('')
}

/** Entities as a tree: those inside others become their children. */
function nest(entities: readonly Entity[], end: number): Part[] {
  const roots: Part[] = []
  const open: Part[] = []
  const sorted = entities
    .filter(({ offset, length }) => offset >= 0 && length > 0 && offset + length <= end)
    .sort((a, b) => a.offset - b.offset || b.length - a.length)
  for (const entity of sorted) {
    while (open.length > 0 && endOf(open.at(-1)!) <= entity.offset) open.pop()
    const parent = open.at(-1)
    const isInside = !parent || (endOf(entity) <= endOf(parent) && open.length < MAX_DEPTH)
    if (!isInside || open.some(({ type }) => isLiteral(type) || type === entity.type)) continue
    const part = { ...entity, children: [] }
    ;(parent?.children ?? roots).push(part)
    open.push(part)
  }
  return roots
}

function endOf({ offset, length }: Entity): number {
  return offset + length
}

function isLiteral(type: string): boolean {
  return type === 'code' || type === 'pre'
}

function writeChildren(text: string, { offset, length, children }: Part): string {
  let written = ''
  let at = offset
  for (const child of children) {
    written += escapeMarks(text.slice(at, child.offset))
    const isBlock = child.type === 'pre' || child.type.endsWith('blockquote')
    if (isBlock && written && !written.endsWith('\n')) written += '\n'
    written += writePart(text, child)
    at = endOf(child)
    // A quotation continues with the next line unless a blank one ends it.
    if (isBlock && at < offset + length) written += text[at] === '\n' ? '\n' : '\n\n'
  }
  return written + escapeMarks(text.slice(at, offset + length))
}

function writePart(text: string, part: Part): string {
  const inner = text.slice(part.offset, endOf(part))
  switch (part.type) {
    case 'bold':
      return surround(writeChildren(text, part), '**')
    case 'italic':
      return surround(writeChildren(text, part), '*')
    case 'strikethrough':
      return surround(writeChildren(text, part), '~~')
    case 'code':
      return writeCode(inner)
    case 'pre':
      return writeFence(inner, part.language)
    case 'text_link':
      return writeLink(writeChildren(text, part), part.url)
    default:
      return writeChildren(text, part).trim().replaceAll(/^/gm, '> ')
  }
}

/** Marks stand at words, not at blanks, and do not reach over the end of a paragraph. */
function surround(text: string, mark: string): string {
  return text
    .split(/(\n\s*\n)/)
    .map((paragraph) => {
      const core = paragraph.trim()
      return core ? paragraph.replace(core, () => `${mark}${core}${mark}`) : paragraph
    })
    .join('')
}

function writeCode(text: string): string {
  const ticks = '`'.repeat(longestRun(text) + 1)
  const pad = /^`|`$/.test(text) ? ' ' : ''
  return text.trim() ? `${ticks}${pad}${text}${pad}${ticks}` : text
}

function writeFence(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(longestRun(text) + 1, 3))
  return `${fence}${/^[\w+#-]{1,30}$/.test(language) ? language : ''}\n${text}\n${fence}`
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
}

function writeLink(label: string, url = ''): string {
  const href = safeHref(url)
  return href && !/[\s<>()]/.test(href) && label.trim() ? `[${label}](${href})` : label
}

/** Characters that would be read as formatting, outside of addresses. */
function escapeMarks(text: string): string {
  let escaped = ''
  let at = 0
  for (const link of findLinks(text)) {
    escaped += text.slice(at, link.at).replaceAll(/[*_~`[\]]/g, '\\$&') + link.text
    at = link.at + link.text.length
  }
  return escaped + text.slice(at).replaceAll(/[*_~`[\]]/g, '\\$&')
}
