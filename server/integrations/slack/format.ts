import type { Inline } from '#contract/text/inline.ts'
import { type Block, parseMarkdown } from '#contract/text/markdown.ts'

/** Slack collapses longer texts, and refuses them in blocks. */
const MAX_LENGTH = 2500

/** Keeps our messages from notifying the whole channel. */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Converts Markdown to Slack's mrkdwn, truncated if too long. */
export function toMrkdwn(markdown: string): string {
  const cut = markdown.length > MAX_LENGTH ? `${markdown.slice(0, MAX_LENGTH)}...` : markdown
  return writeBlocks(parseMarkdown(cut)).trim()
}

function writeBlocks(blocks: Block[]): string {
  return blocks.map(writeBlock).join('\n')
}

function writeBlock(block: Block): string {
  switch (block.type) {
    case 'heading':
      return `*${writeInline(block.children)}*`
    case 'quote':
      return prefixLines(writeBlocks(block.children), '> ')
    case 'list':
      return block.items
        .map((item, at) => `${block.start === null ? '•' : `${block.start + at}.`} ${writeBlocks(item)}`)
        .join('\n')
    case 'code':
      return `\`\`\`\n${escapeMrkdwn(block.text)}\n\`\`\``
    default:
      return writeInline(block.children)
  }
}

function writeInline(parts: Inline[]): string {
  return parts.map(writePart).join('')
}

function writePart(part: Inline): string {
  switch (part.type) {
    case 'text':
      return escapeMrkdwn(part.text)
    case 'code':
      return `\`${escapeMrkdwn(part.text)}\``
    case 'emphasis':
      return `_${writeInline(part.children)}_`
    case 'strong':
      return `*${writeInline(part.children)}*`
    case 'delete':
      return `~${writeInline(part.children)}~`
    default:
      return linkTo(part.href, writeInline(part.children))
  }
}

/** A link in Slack's format, with an escaped label. */
export function linkTo(href: string, label: string): string {
  return `<${escapeMrkdwn(href).replaceAll('|', '%7C')}|${label.replaceAll('|', '¦')}>`
}

function prefixLines(text: string, prefix: string): string {
  return text
    .split('\n')
    .map((line) => `${prefix}${line}`)
    .join('\n')
}

/** Marks a note of the team, to distinguish it from what customers read. */
export function asNote(mrkdwn: string): string {
  const lines = mrkdwn.split('\n').map((line) => (line.trim() ? `_${line}_` : line))
  return `\\\\ ${lines.join('\n')}`
}

/** User ids of the people mentioned in a text. */
export function mentionedIn(text: string): string[] {
  return [...new Set([...text.matchAll(/<@([UW][A-Z0-9]+)/g)].map(([, id]) => id!))]
}

/** Converts Slack's mrkdwn to Markdown. `names`: names of mentioned people by user id. */
export function fromMrkdwn(text: string, names: ReadonlyMap<string, string> = new Map()): string {
  // Code is unchanged, except for characters that Slack escapes.
  return text
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part, at) => (at % 2 ? unescapeSigns(part) : unescapeSigns(readEmphasis(readReferences(part, names)))))
    .join('')
    .trim()
}

function readReferences(text: string, names: ReadonlyMap<string, string>): string {
  return text.replaceAll(/<([^<>\s|]+)(?:\|([^<>]*))?>/g, (whole, target: string, label = '') => {
    if (target.startsWith('@')) return `@${names.get(target.slice(1)) ?? (label || 'somebody')}`
    if (target.startsWith('#')) return `#${label || 'channel'}`
    if (target.startsWith('!subteam')) return label || '@team'
    if (target.startsWith('!date')) return label
    if (target.startsWith('!')) return `@${target.slice(1)}`
    if (target.startsWith('mailto:') || target.startsWith('tel:')) return label || target.replace(/^\w+:/, '')
    if (!/^https?:/.test(target)) return whole
    return !label || label === target ? target : `[${label}](${target})`
  })
}

/** One asterisk is bold in Slack and italic here; one tilde strikes through. */
function readEmphasis(text: string): string {
  return text
    .replaceAll(/(?<![\w*])\*(?!\s)([^*\n]+?)(?<!\s)\*(?![\w*])/g, '**$1**')
    .replaceAll(/(?<![\w~])~(?!\s)([^~\n]+?)(?<!\s)~(?![\w~])/g, '~~$1~~')
}

function unescapeSigns(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
