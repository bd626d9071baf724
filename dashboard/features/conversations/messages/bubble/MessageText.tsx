import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import { drawBlocks } from '#contract/text/elements.ts'
import { parseMessage, type Written } from '#contract/text/markdown.ts'
import { cutMentions } from '../composer/mentions.ts'
import styles from './MessageText.module.css'

interface TextProps extends Partial<Written> {
  body: string
  /** The names of mentioned users. */
  mentions?: readonly string[]
}

const NOBODY: readonly string[] = []

/**
 * A text with its formatting, in the text direction of its own language. What a customer typed, with their
 * `customer_id`, has only links.
 */
export function MessageText({ body, customer_id = null, source = '', mentions = NOBODY }: TextProps) {
  const blocks = useMemo(() => parseMessage({ body, customer_id, source }), [body, customer_id, source])
  const drawText = (text: string) => (mentions.length > 0 ? drawMentions(text, mentions) : text)
  const drawn = drawBlocks<ReactNode>(blocks, createElement, drawText)
  // Browsers that translate pages replace texts, so a changed message is a new element.
  return createElement('div', { key: body, className: styles.text, dir: 'auto', translate: 'yes' }, ...drawn)
}

function drawMentions(text: string, names: readonly string[]): ReactNode {
  const pieces = cutMentions(text, names).map((piece) =>
    piece.isMention ? createElement('span', { className: styles.mention, translate: 'no' }, piece.text) : piece.text,
  )
  return createElement(Fragment, null, ...pieces)
}
