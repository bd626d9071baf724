import { cutText } from './graphemes.ts'
import type { Inline } from './inline.ts'
import { type Block, parseMarkdown, parseMessage, type Written } from './markdown.ts'

/** Markdown as plain text, with the addresses of its links. */
export function withoutMarks(markdown: string): string {
  return writeBlocks(parseMarkdown(markdown))
}

/** The text of a message as plain text, for SMS, mail programs without HTML, and lists. */
export function plainText(message: Written): string {
  return writeBlocks(parseMessage(message))
}

/** More than any list shows of a message. */
const PREVIEW = 300

/** The beginning of a message as plain text, for a line in a list. */
export function previewOf(message: Written): string {
  return cutText(plainText({ ...message, body: message.body?.slice(0, 2 * PREVIEW) ?? null }).trim(), PREVIEW)
}

function writeBlocks(blocks: readonly Block[]): string {
  return blocks.map((block, at) => (at === 0 ? '' : block.apart ? '\n\n' : '\n') + writeBlock(block)).join('')
}

function writeBlock(block: Block): string {
  switch (block.type) {
    case 'quote':
      return writeBlocks(block.children)
    case 'code':
      return block.text
    case 'list':
      return block.items
        .map((item, at) => writeItem(item, block.start === null ? '-' : `${block.start + at}.`))
        .join('\n')
    default:
      return writeInline(block.children)
  }
}

/** Further lines are indented as deep as the first one. */
function writeItem(item: readonly Block[], marker: string): string {
  return `${marker} ${writeBlocks(item).replace(/\n(?=.)/g, `\n${' '.repeat(marker.length + 1)}`)}`
}

function writeInline(parts: readonly Inline[]): string {
  return parts.map(writePart).join('')
}

/** `[the shop](https://shop.example)` becomes `the shop (https://shop.example)`. */
function writePart(part: Inline): string {
  if (!('children' in part)) return part.text
  const text = writeInline(part.children)
  if (part.type !== 'link' || ['', 'https://', 'mailto:'].some((scheme) => scheme + text === part.href)) return text
  return `${text} (${part.href.replace(/^mailto:/, '')})`
}
