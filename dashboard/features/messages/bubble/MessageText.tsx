import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import { parseMarkdown } from '#contract/markdown.ts'
import { drawBlocks } from '#contract/markdown-elements.ts'
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
  const drawText = (text: string) => (mentions.length > 0 ? drawMentions(text, mentions) : text)
  const drawn = drawBlocks<ReactNode>(blocks, createElement, drawText)
  return createElement('div', { className: styles.text, dir: 'auto' }, ...drawn)
}

function drawMentions(text: string, names: readonly string[]): ReactNode {
  const pieces = cutMentions(text, names).map((piece) =>
    piece.isMention ? createElement('span', { className: styles.mention }, piece.text) : piece.text,
  )
  return createElement(Fragment, null, ...pieces)
}
