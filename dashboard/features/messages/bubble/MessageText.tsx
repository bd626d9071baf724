import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import { parseMarkdown } from '#contract/markdown.ts'
import { drawBlocks } from '#contract/markdown-elements.ts'
import { cutMentions } from '../composer/mentions.ts'
import styles from './MessageText.module.css'

interface TextProps {
  body: string
  /** The names of mentioned users. */
  mentions?: readonly string[]
}

const NOBODY: readonly string[] = []

/** A message with its formatting, in the text direction of its own language. */
export function MessageText({ body, mentions = NOBODY }: TextProps) {
  const blocks = useMemo(() => parseMarkdown(body), [body])
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
