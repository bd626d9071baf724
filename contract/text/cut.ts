import { cutText } from './graphemes.ts'
import type { Inline } from './inline.ts'
import type { Block } from './markdown.ts'

/**
 * The beginning of a formatted text, up to a number of characters. It ends at a whole character with an ellipsis, and what
 * formats it stays around what is left.
 */
export function cutBlocks(blocks: readonly Block[], length: number): Block[] {
  let remaining = length

  function cutAll<Part>(parts: readonly Part[], cut: (part: Part) => Part): Part[] {
    const kept: Part[] = []
    for (const part of parts) if (remaining > 0) kept.push(cut(part))
    return kept
  }

  function consumeText(text: string): string {
    const kept = cutText(text, remaining)
    remaining = text.length > remaining ? 0 : remaining - text.length
    return kept
  }

  function cutBlock(block: Block): Block {
    switch (block.type) {
      case 'code':
        return { ...block, text: consumeText(block.text) }
      case 'quote':
        return { ...block, children: cutAll(block.children, cutBlock) }
      case 'list':
        return { ...block, items: cutAll(block.items, (item) => cutAll(item, cutBlock)) }
      default:
        return { ...block, children: cutAll(block.children, cutInline) }
    }
  }

  function cutInline(part: Inline): Inline {
    return 'children' in part
      ? { ...part, children: cutAll(part.children, cutInline) }
      : { ...part, text: consumeText(part.text) }
  }

  return cutAll(blocks, cutBlock)
}
