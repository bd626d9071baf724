import { MESSAGE_BODY_LIMIT } from '#contract/messages.ts'
import { ownTextOfHtml } from './html-text.ts'
import type { ParsedMail } from './parse.ts'
import { trimQuotes } from './trim-quotes.ts'

/** HTML up to this length is sent with its message; longer HTML is fetched on demand. */
const SHOWN_HTML = 60_000

/** A mail's content as a message. */
export interface MailText {
  body: string
  /** Shown instead of the text, if the sender wrote no text part. */
  html: string | null
}

/** The new text of a mail: from its text part if there is one, else from its HTML. */
export function readMailText({ text, html }: Pick<ParsedMail, 'text' | 'html'>): MailText {
  if (text?.trim()) return { body: trimQuotes(text).slice(0, MESSAGE_BODY_LIMIT), html: null }
  if (!html?.trim()) return { body: '', html: null }
  return {
    body: trimQuotes(ownTextOfHtml(html)).slice(0, MESSAGE_BODY_LIMIT),
    html: html.length <= SHOWN_HTML ? html : null,
  }
}
