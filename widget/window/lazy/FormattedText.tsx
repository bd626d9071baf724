import { createElement, type ReactNode, useMemo } from 'react'
import { type Block, parseMarkdown } from '#contract/markdown.ts'
import type { Inline } from '#contract/markdown-inline.ts'
import './FormattedText.css'

/** The words of a message with their formatting, in the direction of the words themselves, whatever the page's. */
export function FormattedText({ body }: { body: string }) {
  const blocks = useMemo(() => parseMarkdown(body), [body])
  // Children are passed one by one, so that they need no keys: a message never changes.
  return createElement('div', { className: 'text formatted', dir: 'auto' }, ...blocks.map(drawBlock))
}

function drawBlock(block: Block): ReactNode {
  switch (block.type) {
    case 'paragraph':
      return createElement('p', null, ...block.children.map(drawInline))
    case 'heading':
      return createElement('p', null, createElement('strong', null, ...block.children.map(drawInline)))
    case 'quote':
      return createElement('blockquote', null, ...block.children.map(drawBlock))
    case 'code':
      return createElement('pre', { dir: 'ltr' }, createElement('code', null, block.text))
    case 'list': {
      const items = block.items.map((item) => createElement('li', null, ...item.map(drawBlock)))
      return block.start === null
        ? createElement('ul', null, ...items)
        : createElement('ol', { start: block.start }, ...items)
    }
  }
}

const ELEMENTS = { emphasis: 'em', strong: 'strong', delete: 'del' } as const

function drawInline(inline: Inline): ReactNode {
  switch (inline.type) {
    case 'text':
      return inline.text
    case 'code':
      return createElement('code', null, inline.text)
    case 'link': {
      // What a link shows and where it leads may differ, so pointing at it tells.
      const { href } = inline
      const props = { href, title: href, target: '_blank', rel: 'noopener noreferrer nofollow' }
      return createElement('a', props, ...inline.children.map(drawInline))
    }
    default:
      return createElement(ELEMENTS[inline.type], null, ...inline.children.map(drawInline))
  }
}
