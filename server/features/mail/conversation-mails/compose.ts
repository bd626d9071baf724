import type { Message } from '#contract/conversations/messages.ts'
import { cutText } from '#contract/text/graphemes.ts'
import { plainText } from '#contract/text/plain.ts'
import { escapeHtml } from '../../../platform/html.ts'
import { BREAKS_WORDS, messageToHtml, textToHtml } from '../mails/message-html.ts'
import { withoutPrefixes } from './subject-prefix.ts'

/** The mail that a reply answers. */
export interface AnsweredMail {
  message_header: string | null
  refs: string[]
  subject: string
}

/** The earlier message quoted below a reply. */
export interface QuotedText {
  author: string
  at: string
  body: string
}

/** A mail in both forms, with HTML for old mail programs. */
export interface WrittenMail {
  text: string
  html: string
}

const QUOTED_LENGTH = 10_000

/** A reply in both forms, with links to files that are too large to attach. */
export function writeMessage(message: Message, links: { filename: string; file_url: string }[]): WrittenMail {
  const files = links.map(({ filename, file_url }) => `${filename}: ${file_url}`)
  return {
    text: [plainText(message).trim(), files.join('\n')].filter(Boolean).join('\n\n'),
    html: [messageToHtml(message), files.map(textToHtml).join('<br>')].filter(Boolean).join('<br><br>'),
  }
}

/** A reply without a custom template. */
export function writeAnswer(message: WrittenMail, signature: string | null): WrittenMail {
  const text = [message.text, signature && `-- \n${signature}`]
  const html = [
    `<div dir="auto" style="${BREAKS_WORDS}">${message.html}</div>`,
    signature && `<br><div style="color:#5c6867">-- <br>${textToHtml(signature)}</div>`,
  ]
  return { text: text.filter(Boolean).join('\n\n'), html: html.filter(Boolean).join('\n') }
}

/** Adds the earlier message below, in a form that mail programs can collapse and we can detect. */
export function quoteBelow({ text, html }: WrittenMail, quoted: QuotedText | undefined): WrittenMail {
  if (!quoted) return { text: `${text}\n`, html }
  const line = attribution(quoted)
  const quote = cutText(quoted.body.trim(), QUOTED_LENGTH)
  const below = `<br><div class="gmail_quote"><div>${escapeHtml(line)}</div><blockquote type="cite" dir="auto" style="margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex;${BREAKS_WORDS}">${textToHtml(quote)}</blockquote></div>`
  const end = html.lastIndexOf('</body>')
  return {
    text: `${text.trimEnd()}\n\n${line}\n${quote.replace(/^/gm, '> ').replace(/^> $/gm, '>')}\n`,
    html: end < 0 ? `${html}\n${below}` : `${html.slice(0, end)}${below}\n${html.slice(end)}`,
  }
}

/** In the usual form, so that mail programs can collapse the quotation. */
function attribution({ at, author }: QuotedText): string {
  const when = new Date(at).toUTCString().replace(/:\d\d GMT$/, ' UTC')
  return `On ${when}, ${author} wrote:`
}

/** The subject of a reply: the conversation's, with one prefix. */
export function answerSubject(subject: string | null | undefined, company: string): string {
  const bare = withoutPrefixes(subject ?? '')
  return bare ? `Re: ${bare}` : `New message from ${company}`
}

const REFERENCES = 10

/** Headers by which mail programs assign a reply to its thread: the thread's first mail and the last nine. */
export function threadHeaders(answered: AnsweredMail | undefined): Record<string, string> {
  if (!answered?.message_header) return {}
  const all = [...new Set([...answered.refs, answered.message_header])]
  const references = all.length <= REFERENCES ? all : [all[0]!, ...all.slice(1 - REFERENCES)]
  return { 'In-Reply-To': answered.message_header, References: references.join(' ') }
}
