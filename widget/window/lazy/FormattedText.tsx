import { createElement, type ReactNode, useMemo } from 'react'
import { parseMarkdown } from '#contract/markdown.ts'
import { drawBlocks } from '#contract/markdown-elements.ts'
import './FormattedText.css'

/** The words of a message with their formatting, in the direction of the words themselves, whatever the page's. */
export function FormattedText({ body }: { body: string }) {
  const blocks = useMemo(() => parseMarkdown(body), [body])
  const drawn = drawBlocks<ReactNode>(blocks, createElement, (text) => text)
  return createElement('div', { className: 'text formatted', dir: 'auto' }, ...drawn)
}
