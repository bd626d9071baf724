import { createElement, type ReactNode, useMemo } from 'react'
import { drawBlocks } from '#contract/text/elements.ts'
import { parseMessage } from '#contract/text/markdown.ts'
import './FormattedText.css'

/** A message with its formatting, in the text direction of its own language. What the visitor typed has only links. */
export function FormattedText({ body, isOwn }: { body: string; isOwn: boolean }) {
  const blocks = useMemo(() => parseMessage({ body, customer_id: isOwn ? 'own' : null }), [body, isOwn])
  const drawn = drawBlocks<ReactNode>(blocks, createElement, (text) => text)
  return createElement('div', { className: 'text formatted', dir: 'auto', translate: 'yes' }, ...drawn)
}
