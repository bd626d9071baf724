import { cutBlocks } from '#contract/text/cut.ts'
import type { Inline } from '#contract/text/inline.ts'
import { type Block, parseMessage, type Written } from '#contract/text/markdown.ts'

/** Slack collapses longer texts, and refuses them in blocks. */
const MAX_LENGTH = 2500
/** More than this Slack refuses in any message. */
const HARD_LIMIT = 35_000

/** Keeps our messages from notifying the whole channel. */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/**
 * A message in Slack's mrkdwn. A text that is too long ends at a whole character, with its formatting closed and a link
 * to the rest.
 * @param address where readers can read all of it; without one only what Slack refuses is cut
 */
export function toMrkdwn(message: Written, address?: string): string {
  const blocks = parseMessage(message)
  const limit = address ? MAX_LENGTH : HARD_LIMIT
  const whole = writeBlocks(blocks).trim()
  if (whole.length <= limit) return whole
  // Escaped characters and addresses take more room than they show.
  let written = whole
  for (let length = limit; written.length > limit; length = Math.floor(length * 0.8)) {
    written = writeBlocks(cutBlocks(blocks, length)).trim()
  }
  return address ? `${written}\n${linkTo(address, 'Read the rest')}` : written
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
