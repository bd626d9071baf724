import { MESSAGE_BODY_LIMIT } from '#contract/conversations/messages.ts'
import { ownTextOfHtml, textOfHtml } from './html-text.ts'
import type { ParsedMail } from './parse.ts'
import { trimQuotes } from './trim-quotes.ts'

/** HTML up to this length is sent with its message; longer HTML is fetched on demand. */
const SHOWN_HTML = 60_000
/** Longer text is cut before it is read: a message holds less. */
const READ_LENGTH = 2 * MESSAGE_BODY_LIMIT
/** How much of two texts is compared. */
const COMPARED_LENGTH = 20_000

const ENCRYPTED = 'This mail is encrypted, so it cannot be read here. Ask its sender to send it without encryption.'

/** A mail's content as a message. */
export interface MailText {
  body: string
  /** Shown instead of the text, if the text was made from it. */
  html: string | null
  /** The text as a whole, if the message holds only its beginning. */
  whole: string | null
}

type Content = Pick<ParsedMail, 'text' | 'html' | 'calendar' | 'is_encrypted'>

/** The new text of a mail: from its text part if that has its words, else from its HTML. Only answers quote mails. */
export function readMailText({ text, html, calendar, is_encrypted }: Content, isAnswer: boolean): MailText {
  const ofHtml = html?.trim() ? html : undefined
  if (text?.trim() && !(ofHtml && hasWordsOnlyIn(ofHtml, text))) {
    return { ...cut(trimQuotes(text.slice(0, READ_LENGTH), isAnswer), text), html: null }
  }
  const own = ofHtml ? ownTextOfHtml(ofHtml, isAnswer) : ''
  if (ofHtml && (own || !calendar)) {
    return {
      ...cut(trimQuotes(own.slice(0, READ_LENGTH), isAnswer), own),
      html: ofHtml.length <= SHOWN_HTML ? ofHtml : null,
    }
  }
  return { body: calendar ?? (is_encrypted ? ENCRYPTED : ''), html: null, whole: null }
}

/**
 * Whether the text part is no text of this mail: it has less than a third of the words of the HTML, or asks for a
 * program that shows HTML, so that hardly any of its words are in there.
 */
function hasWordsOnlyIn(html: string, text: string): boolean {
  const [words, others] = [wordsOf(text), wordsOf(textOfHtml(html.slice(0, 10 * COMPARED_LENGTH)))]
  if (others.length === 0) return false
  if (words.length * 3 < others.length) return true
  const otherWords = new Set(others)
  return words.filter((word) => otherWords.has(word)).length * 3 < words.length
}

function wordsOf(text: string): string[] {
  return (
    text
      .slice(0, COMPARED_LENGTH)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
}

/** Longer text ends visibly. */
function cut(body: string, whole: string): Pick<MailText, 'body' | 'whole'> {
  if (body.length <= MESSAGE_BODY_LIMIT) return { body, whole: null }
  return { body: `${body.slice(0, MESSAGE_BODY_LIMIT - 1)}…`, whole }
}
