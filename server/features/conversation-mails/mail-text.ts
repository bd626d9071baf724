import { MESSAGE_BODY_LIMIT } from '#contract/messages.ts'
import { ownTextOfHtml } from './html-text.ts'
import type { ParsedMail } from './parse.ts'
import { trimQuotes } from './trim-quotes.ts'

/** HTML of this length travels with its message; what is longer is fetched by whoever wants to see it. */
const SHOWN_HTML = 60_000

/** What a mail says, as a message has it. */
export interface MailText {
  body: string
  /** Shown in place of the words: only where the sender wrote no text beside it. */
  html: string | null
}

/** The new words of a mail: of its text where it has one, else of its HTML. */
export function readMailText({ text, html }: Pick<ParsedMail, 'text' | 'html'>): MailText {
  if (text?.trim()) return { body: trimQuotes(text).slice(0, MESSAGE_BODY_LIMIT), html: null }
  if (!html?.trim()) return { body: '', html: null }
  return {
    body: trimQuotes(ownTextOfHtml(html)).slice(0, MESSAGE_BODY_LIMIT),
    html: html.length <= SHOWN_HTML ? html : null,
  }
}
