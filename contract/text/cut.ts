import { cutText } from './graphemes.ts'
import type { Inline } from './inline.ts'
import type { Block } from './markdown.ts'

/**
 * The beginning of a formatted text, up to a number of characters. It ends at a whole character with an ellipsis, and what
 * formats it stays around what is left.
 */
export function cutBlocks(blocks: readonly Block[], length: number): Block[] {
  let left = length

  function cutAll<Part>(parts: readonly Part[], cut: (part: Part) => Part): Part[] {
    const kept: Part[] = []
    for (const part of parts) if (left > 0) kept.push(cut(part))
    return kept
  }

  function take(text: string): string {
    const kept = cutText(text, left)
    left = text.length > left ? 0 : left - text.length
    return kept
  }

  function cutBlock(block: Block): Block {
    switch (block.type) {
      case 'code':
        return { ...block, text: take(block.text) }
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
      : { ...part, text: take(part.text) }
  }

  return cutAll(blocks, cutBlock)
}
