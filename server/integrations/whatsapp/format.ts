import type { Inline } from '#contract/text/inline.ts'
import { type Block, parseMessage, type Written } from '#contract/text/markdown.ts'

/** A message in WhatsApp's own marks. */
export function toWhatsapp(message: Written): string {
  return writeBlocks(parseMessage(message)).trim()
}

function writeBlocks(blocks: Block[]): string {
  return blocks.map((block, index) => `${block.apart && index > 0 ? '\n' : ''}${writeBlock(block)}`).join('\n')
}

function writeBlock(block: Block): string {
  switch (block.type) {
    case 'heading':
      return `*${writeInline(block.children)}*`
    case 'quote':
      return writeBlocks(block.children).replace(/^/gm, '> ')
    case 'list':
      return block.items
        .map((item, index) => `${block.start === null ? '•' : `${block.start + index}.`} ${writeBlocks(item)}`)
        .join('\n')
    case 'code':
      return `\`\`\`${block.text}\`\`\``
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
      return part.text
    case 'code':
      return `\`${part.text}\``
    case 'emphasis':
      return `_${writeInline(part.children)}_`
    case 'strong':
      return `*${writeInline(part.children)}*`
    case 'delete':
      return `~${writeInline(part.children)}~`
    default: {
      // There are no links with a label.
      const label = writeInline(part.children)
      return label === part.href || part.href.endsWith(`//${label}`) || part.href === `mailto:${label}`
        ? label
        : `${label} (${part.href})`
    }
  }
}
