import { createElement, type ReactNode, useMemo } from 'react'
import { parseMarkdown } from '#contract/markdown.ts'
import { drawBlocks } from '#contract/markdown-elements.ts'
import './FormattedText.css'

/** A message with its formatting, in the text direction of its own language. */
export function FormattedText({ body }: { body: string }) {
  const blocks = useMemo(() => parseMarkdown(body), [body])
  const drawn = drawBlocks<ReactNode>(blocks, createElement, (text) => text)
  return createElement('div', { className: 'text formatted', dir: 'auto', translate: 'yes' }, ...drawn)
}
