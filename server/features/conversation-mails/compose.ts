import type { Message } from '#contract/messages.ts'
import { withoutMarks } from '#contract/without-marks.ts'
import { escapeHtml } from '../../platform/html.ts'

/** The mail that an answer follows. */
export interface AnsweredMail {
  message_header: string | null
  refs: string[]
  subject: string
}

/** What was said before, to stand below an answer. */
export interface QuotedWords {
  author: string
  at: string
  body: string
}

interface Answer {
  message: Pick<Message, 'body'>
  quoted: QuotedWords | undefined
  signature: string | null
  /** Files that are too large to be attached. */
  links: { filename: string; file_url: string }[]
}

const QUOTED_LENGTH = 10_000

/** An answer as text and as HTML that old mail programs understand. */
export function writeAnswer({ message, quoted, signature, links }: Answer): { text: string; html: string } {
  const said = withoutMarks(message.body ?? '').trim()
  const files = links.map(({ filename, file_url }) => `${filename}: ${file_url}`).join('\n')
  const own = [said, files].filter(Boolean).join('\n\n')
  const before = quoted && { line: attribution(quoted), words: quoted.body.trim().slice(0, QUOTED_LENGTH) }
  const text = [
    own,
    signature && `-- \n${signature}`,
    before && `${before.line}\n${before.words.replace(/^/gm, '> ').replace(/^> $/gm, '>')}`,
  ]
  const html = [
    `<div dir="auto">${asHtml(own)}</div>`,
    signature && `<br><div style="color:#5c6867">-- <br>${asHtml(signature)}</div>`,
    before &&
      `<br><div class="gmail_quote"><div>${escapeHtml(before.line)}</div><blockquote type="cite" style="margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex">${asHtml(before.words)}</blockquote></div>`,
  ]
  return { text: `${text.filter(Boolean).join('\n\n')}\n`, html: html.filter(Boolean).join('\n') }
}

/** In the form that mail programs know, so that theirs can fold it. */
function attribution({ at, author }: QuotedWords): string {
  const when = new Date(at).toUTCString().replace(/:\d\d GMT$/, ' UTC')
  return `On ${when}, ${author} wrote:`
}

function asHtml(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/)
    .map((piece, at) => (at % 2 ? `<a href="${escapeHtml(piece)}">${escapeHtml(piece)}</a>` : escapeHtml(piece)))
    .join('')
    .replaceAll('\n', '<br>')
}

/** The subject of an answer: that of the conversation, marked once. */
export function answerSubject(subject: string | null | undefined, company: string): string {
  const bare = subject?.replace(/^(?:\s*(?:re|aw|sv|antw|trả lời)\s*:)+\s*/i, '').trim()
  return bare ? `Re: ${bare}` : `New message from ${company}`
}

const REFERENCES = 10

/** By which mail programs put an answer into its thread: the first mail of it and the last nine. */
export function threadHeaders(answered: AnsweredMail | undefined): Record<string, string> {
  if (!answered?.message_header) return {}
  const all = [...new Set([...answered.refs, answered.message_header])]
  const kept = all.length <= REFERENCES ? all : [all[0]!, ...all.slice(1 - REFERENCES)]
  return { 'In-Reply-To': answered.message_header, References: kept.join(' ') }
}
