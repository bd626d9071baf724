import { type Inline, parseLinks } from '#contract/text/inline.ts'
import { type Block, parseMessage, type Written } from '#contract/text/markdown.ts'
import { escapeHtml } from '../../../platform/html.ts'

// For mail programs, which ignore style sheets and many styles: blanks that must stay are no-break spaces, and lines end
// with `<br>`.

const MONOSPACE = 'font-family:Menlo,Consolas,monospace;font-size:13px'
const STYLES = {
  pre: `margin:8px 0;padding:8px 12px;background:#f1f3f2;color:#26302f;border-radius:6px;white-space:pre-wrap;${MONOSPACE}`,
  quote: 'margin:8px 0;padding-left:12px;border-left:3px solid #cfd8d6',
  list: 'margin:8px 0;padding-left:24px',
}
const TAGS = { emphasis: 'em', strong: 'strong', delete: 's' } as const

/** Style of what contains a text: a long address or word would make the whole mail wider than the screen. */
export const BREAKS_WORDS = 'word-break:break-word'

/** A message as HTML, with its formatting. What a customer typed has only links. */
export function messageToHtml(message: Written): string {
  return writeBlocks(parseMessage(message))
}

/** Plain text as HTML with clickable links. */
export function textToHtml(text: string): string {
  return writeInline(parseLinks(text))
}

function writeBlocks(blocks: readonly Block[]): string {
  return blocks
    .map((block, at) => {
      const before = blocks[at - 1]
      const isText = isParagraph(block) && before && isParagraph(before)
      return (isText ? (block.apart ? '<br><br>' : '<br>') : '') + writeBlock(block)
    })
    .join('')
}

function isParagraph({ type }: Block): boolean {
  return type === 'paragraph' || type === 'heading'
}

function writeBlock(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return writeInline(block.children)
    case 'heading':
      return `<strong>${writeInline(block.children)}</strong>`
    case 'quote':
      return `<blockquote style="${STYLES.quote}">${writeBlocks(block.children)}</blockquote>`
    case 'code':
      return `<pre dir="ltr" style="${STYLES.pre}"><code>${escapeHtml(block.text)}</code></pre>`
    case 'list': {
      const items = block.items.map((item) => `<li>${writeBlocks(item)}</li>`).join('')
      return block.start === null
        ? `<ul style="${STYLES.list}">${items}</ul>`
        : `<ol start="${block.start}" style="${STYLES.list}">${items}</ol>`
    }
  }
}

function writeInline(parts: readonly Inline[]): string {
  return parts.map(writePart).join('')
}

function writePart(part: Inline): string {
  switch (part.type) {
    case 'text':
      return writeText(part.text)
    case 'code':
      return `<code style="${MONOSPACE}">${writeText(part.text)}</code>`
    case 'link':
      return `<a class="link" href="${escapeHtml(part.href)}" style="color:#175e66">${writeInline(part.children)}</a>`
    default:
      return `<${TAGS[part.type]}>${writeInline(part.children)}</${TAGS[part.type]}>`
  }
}

/** The last blank of several stays one at which a line can break. */
function writeText(text: string): string {
  return escapeHtml(text)
    .replace(/\t/g, '    ')
    .replace(/(?<=\n) /g, '&nbsp;')
    .replace(/ {2,}/g, (blanks) => `${'&nbsp;'.repeat(blanks.length - 1)} `)
    .replaceAll('\n', '<br>')
}
