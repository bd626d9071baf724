import type { Inline } from './inline.ts'
import type { Block } from './markdown.ts'

/** `createElement` of React or Preact. */
type CreateElement<Node> = (
  tag: string,
  props: Record<string, string | number> | null,
  ...children: (Node | string)[]
) => Node

const TAGS = { emphasis: 'em', strong: 'strong', delete: 'del' } as const

/**
 * Turns the blocks of a message into elements, in the dashboard and in the chat. Children are passed one by one, so
 * that they need no keys: a message never changes.
 * @param drawText draws plain text, for example with mentions highlighted
 */
export function drawBlocks<Node>(
  blocks: readonly Block[],
  create: CreateElement<Node>,
  drawText: (text: string) => Node | string,
): Node[] {
  return blocks.map(drawBlock)

  function drawBlock(block: Block): Node {
    switch (block.type) {
      case 'paragraph':
        return create('p', null, ...block.children.map(drawInline))
      case 'heading':
        return create('p', null, create('strong', null, ...block.children.map(drawInline)))
      case 'quote':
        return create('blockquote', null, ...block.children.map(drawBlock))
      case 'code':
        return create('pre', { dir: 'ltr', translate: 'no' }, create('code', null, block.text))
      case 'list': {
        const items = block.items.map((item) => create('li', null, ...item.map(drawBlock)))
        return block.start === null ? create('ul', null, ...items) : create('ol', { start: block.start }, ...items)
      }
    }
  }

  function drawInline(inline: Inline): Node | string {
    switch (inline.type) {
      case 'text':
        return drawText(inline.text)
      case 'code':
        return create('code', { translate: 'no' }, inline.text)
      case 'link': {
        // A link's text and target may differ, so hovering shows the target.
        const { href } = inline
        const props = { href, title: href, target: '_blank', rel: 'noopener noreferrer nofollow' }
        return create('a', props, ...inline.children.map(drawInline))
      }
      default:
        return create(TAGS[inline.type], null, ...inline.children.map(drawInline))
    }
  }
}
