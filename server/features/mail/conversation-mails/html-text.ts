import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text'
import { escapeHtml } from '../../../platform/html.ts'
import { cutMarkup } from '../../../platform/html-limits.ts'

/** Elements in which mail programs wrap earlier messages. */
const QUOTED = [
  '.gmail_quote',
  '.gmail_quote_container',
  'blockquote[type="cite"]',
  '.moz-cite-prefix',
  '[id*="yahoo_quoted"]',
  '.yahoo_quoted',
  '.protonmail_quote',
  '.tutanota_quote',
  '.zmail_extra',
  'blockquote.cite',
  '#isForwardContent',
]

/** After these there are only earlier messages. */
const CUT_BEFORE = [
  '#divRplyFwdMsg',
  '#appendonsend',
  '#mail-editor-reference-message-container',
  '#ms-outlook-mobile-body-separator-line',
]
/** Word draws a line above the earlier message; people draw lines, too, so it must be followed by a header. */
const BORDERED = ['div[style*="border-top:solid"]', 'div[style*="border-top: solid"]', 'hr[id="stopSpelling"]']

const CUT = '\uE000'
const BORDER = '\uE001'
/** Labels with which an earlier message begins, in several languages. */
const HEADER_LABEL =
  /^\s*\**(?:From|Von|De|Da|Van|Från|Fra|Od|Từ|Người gửi|差出人|发件人|寄件者|보낸 사람|От|Kimden)\**\s*[:：]/i

/** Longer HTML is cut: nobody wrote more than that by hand. */
const HTML_LIMIT = 1_000_000
/** A newsletter has some thousand elements. */
const MARKUP = { depth: 1_000, elements: 50_000 }

const mark =
  (symbol: string): FormatCallback =>
  (_element, _walk, builder) => {
    builder.openBlock({ leadingLineBreaks: 1 })
    builder.addLiteral(symbol)
    builder.closeBlock({ trailingLineBreaks: 1 })
  }
const markAndGoOn =
  (symbol: string): FormatCallback =>
  (element, walk, builder) => {
    builder.openBlock({ leadingLineBreaks: 1 })
    builder.addLiteral(symbol)
    builder.closeBlock({ trailingLineBreaks: 1 })
    walk(element.children, builder)
  }

/** A line of a table: its cells are apart from each other, whatever is in them. */
const row: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 })
  walk(element.children, builder)
  builder.closeBlock({ trailingLineBreaks: 1 })
}
const cell: FormatCallback = (element, walk, builder) => {
  builder.addInline(' ')
  walk(element.children, builder)
  builder.addInline(' ')
}

const COMMON: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: HTML_LIMIT, maxDepth: 200, maxChildNodes: 20_000, ellipsis: '…' },
  formatters: { cut: mark(CUT), border: markAndGoOn(BORDER), row, cell },
}

const SELECTORS: NonNullable<HtmlToTextOptions['selectors']> = [
  {
    selector: 'a',
    options: { hideLinkHrefIfSameAsText: true, ignoreHref: false, linkBrackets: [' (', ')'], noAnchorUrl: true },
  },
  { selector: 'img', format: 'skip' },
  { selector: 'title', format: 'skip' },
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  { selector: 'tr', format: 'row' },
  { selector: 'td', format: 'cell' },
  { selector: 'th', format: 'cell' },
]
/** In a mail that answers nothing, a quotation is something that its author quotes. */
const CITED = { selector: 'blockquote', format: 'block', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } }

const whole = compile({ ...COMMON, selectors: SELECTORS })
const wholeOfNew = compile({ ...COMMON, selectors: [...SELECTORS, CITED] })
const own = compileOwn(SELECTORS)
const ownOfNew = compileOwn([...SELECTORS, CITED])

function compileOwn(selectors: typeof SELECTORS) {
  return compile({ ...COMMON, selectors: [...selectors, ...ownSelectors()] })
}

function ownSelectors(): typeof SELECTORS {
  return [
    ...QUOTED.map((selector) => ({ selector, format: 'skip' })),
    ...CUT_BEFORE.map((selector) => ({ selector, format: 'cut' })),
    ...BORDERED.map((selector) => ({ selector, format: 'border' })),
  ]
}

/**
 * The text of an HTML mail without earlier messages; all of it if nothing else is left. In a mail that is no answer, a
 * plain `blockquote` is part of its text.
 */
export function ownTextOfHtml(html: string, isAnswer: boolean): string {
  const beginning = cutMarkup(html.slice(0, HTML_LIMIT), MARKUP)
  const [before = ''] = (isAnswer ? own : ownOfNew)(beginning).split(CUT)
  const text = tidy(cutAtBorder(before)) || tidy((isAnswer ? whole : wholeOfNew)(beginning))
  return html.length > beginning.length ? `${text}\n…` : text
}

/** All text of an HTML mail. */
export function textOfHtml(html: string): string {
  return tidy(whole(cutMarkup(html.slice(0, HTML_LIMIT), MARKUP)))
}

/** A text as a part of an HTML mail. */
export function htmlOfText(text: string): string {
  return `<div style="white-space:pre-wrap">${escapeHtml(text.trim())}</div>`
}

function cutAtBorder(text: string): string {
  const [first = '', ...others] = text.split(BORDER)
  const at = others.findIndex((piece) => HEADER_LABEL.test(piece))
  return [first, ...(at < 0 ? others : others.slice(0, at))].join('')
}

/** By line, because an expression for spaces before a line's end takes the square of their number. */
function tidy(text: string): string {
  return text
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
