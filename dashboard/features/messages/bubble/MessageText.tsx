import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import { type Block, parseMarkdown } from '#contract/markdown.ts'
import type { Inline } from '#contract/markdown-inline.ts'
import { cutMentions } from '../composer/mentions.ts'
import styles from './MessageText.module.css'

interface TextProps {
  body: string
  /** The names of whom it mentions. */
  mentions?: readonly string[]
}

const NOBODY: readonly string[] = []

/** The words of a message with their formatting. Each message is laid out in its own direction. */
export function MessageText({ body, mentions = NOBODY }: TextProps) {
  const blocks = useMemo(() => parseMarkdown(body), [body])
  // Children are passed one by one, so that they need no keys: a message never changes.
  return createElement('div', { className: styles.text, dir: 'auto' }, ...blocks.map(blockDrawer(mentions)))
}

function blockDrawer(mentions: readonly string[]) {
  const drawInline = inlineDrawer(mentions)
  return function drawBlock(block: Block): ReactNode {
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
}

const ELEMENTS = { emphasis: 'em', strong: 'strong', delete: 'del' } as const

function inlineDrawer(mentions: readonly string[]) {
  return function drawInline(inline: Inline): ReactNode {
    switch (inline.type) {
      case 'text':
        return mentions.length > 0 ? drawMentions(inline.text, mentions) : inline.text
      case 'code':
        return createElement('code', null, inline.text)
      case 'link': {
        // What a link shows and where it leads may differ, so pointing at it tells.
        const { href } = inline
        const shown = inline.children.map(drawInline)
        return createElement(
          'a',
          { href, title: href, target: '_blank', rel: 'noopener noreferrer nofollow' },
          ...shown,
        )
      }
      default:
        return createElement(ELEMENTS[inline.type], null, ...inline.children.map(drawInline))
    }
  }
}

function drawMentions(text: string, names: readonly string[]): ReactNode {
  const pieces = cutMentions(text, names).map((piece) =>
    piece.isMention ? createElement('span', { className: styles.mention }, piece.text) : piece.text,
  )
  return createElement(Fragment, null, ...pieces)
}
