import { cutText } from '#contract/text/graphemes.ts'
import { findLinks } from '#contract/text/links.ts'
import { isTyped, type Written } from '#contract/text/markdown.ts'

/** Mattermost accepts 16,383 characters, including author, files and the link to the rest. */
const MAX_LENGTH = 14_000

/**
 * A message as Mattermost's Markdown. What a customer typed is escaped. A text that is too long ends at a whole character
 * with a link to the rest.
 * @param address where all of it can be read
 */
export function toMarkdown(message: Written, address: string): string {
  const whole = withoutMentions(message)
  if (whole.length <= MAX_LENGTH) return whole
  const cut = cutText(whole, MAX_LENGTH)
  const isInCode = (cut.match(/^ {0,3}```/gm)?.length ?? 0) % 2 === 1
  return `${cut}${isInCode ? '\n```' : ''}\n\n[Read the rest](${address})`
}

/** Keeps our messages from notifying a whole channel. */
export function disableMentions(text: string): string {
  return text.replaceAll('@', '@\u200b')
}

/** Links stay as they are: with another character in them they lead elsewhere. */
function withoutMentions(message: Written): string {
  const text = message.body ?? ''
  const write = isTyped(message) ? (piece: string) => disableMentions(escapeMarkdown(piece)) : disableMentions
  const parts: string[] = []
  let from = 0
  for (const { text: shown, at } of findLinks(text)) {
    parts.push(write(text.slice(from, at)), shown)
    from = at + shown.length
  }
  return [...parts, write(text.slice(from))].join('')
}

/** Characters that format anywhere, and those that begin a list. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_~#>|<[\]]/g, '\\$&')
    .replace(/^([ \t]*)([-+])(?= )/gm, '$1\\$2')
    .replace(/^([ \t]*\d{1,9})([.)])(?= )/gm, '$1\\$2')
}
