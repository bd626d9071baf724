import { MESSAGE_BODY_LIMIT } from '#contract/messages.ts'
import { ownTextOfHtml } from './html-text.ts'
import type { ParsedMail } from './parse.ts'
import { trimQuotes } from './trim-quotes.ts'

/** HTML up to this length is sent with its message; longer HTML is fetched on demand. */
const SHOWN_HTML = 60_000

/** Longer text is cut before it is read: a message holds less. */
const READ_LENGTH = 2 * MESSAGE_BODY_LIMIT

/** A mail's content as a message. */
export interface MailText {
  body: string
  /** Shown instead of the text, if the sender wrote no text part. */
  html: string | null
}

/** The new text of a mail: from its text part if there is one, else from its HTML. */
export function readMailText({ text, html }: Pick<ParsedMail, 'text' | 'html'>): MailText {
  if (text?.trim()) return { body: cut(trimQuotes(text.slice(0, READ_LENGTH))), html: null }
  if (!html?.trim()) return { body: '', html: null }
  return {
    body: cut(trimQuotes(ownTextOfHtml(html).slice(0, READ_LENGTH))),
    html: html.length <= SHOWN_HTML ? html : null,
  }
}

/** Longer text ends visibly: the original has all of it. */
function cut(text: string): string {
  return text.length <= MESSAGE_BODY_LIMIT ? text : `${text.slice(0, MESSAGE_BODY_LIMIT - 1)}…`
}
