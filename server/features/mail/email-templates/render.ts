import { convert, type HtmlToTextOptions } from 'html-to-text'
import { Liquid, type Context as LiquidContext, type LiquidError } from 'liquidjs'
import sanitizeHtml from 'sanitize-html'
import type { TemplateDraft, TemplateProblem } from '#contract/mail/email-templates.ts'
import { escapeHtml } from '../../../platform/html.ts'
import { cutMarkup } from '../../../platform/html-limits.ts'
import { BREAKS_WORDS, textToHtml } from '../mails/message-html.ts'
import { type CommonVariables, type MessageVariable, type RenderedMail, TemplateFailed } from './rendered-mail.ts'

const LIMITS = { renderLimit: 1_000, templateLimit: 20_000, memoryLimit: 5_000_000 }
const PARSE_LIMIT = 100_000
/** Conditions and loops within each other; and elements, of which tables for layout need twenty. */
const MAX_BLOCKS = 50
const MAX_ELEMENTS = 200
/** Maximum size of a mail in characters; mail programs truncate at about 100 kB. */
const MAX_MAIL_LENGTH = 300_000

/** Templates can only read their variables: no files, no other templates, no inherited properties. */
const liquid = new Liquid({
  templates: {},
  ownPropertyOnly: true,
  strictFilters: true,
  strictVariables: true,
  lenientIf: true,
  outputEscape: (value) => escapeHtml(value === null || value === undefined ? '' : String(value)),
  parseLimit: PARSE_LIMIT,
  timezoneOffset: 0,
  ...LIMITS,
})
// Turns plain text into HTML with line breaks and links, and the text of a message into HTML with its formatting. The
// result is not escaped again.
liquid.registerFilter('text_to_html', {
  raw: true,
  handler(this: { context: LiquidContext }, value: unknown) {
    const text = String(value ?? '')
    const { htmlOf } = this.context.globals as { htmlOf?: Map<string, string> }
    return htmlOf?.get(text) ?? textToHtml(text)
  },
})

/**
 * Renders a template: HTML without active content and external resources, and a text version of it. An unsubscribe link
 * is added if there is one and the template does not show it.
 * @throws TemplateFailed
 */
export function renderTemplate(template: TemplateDraft, variables: MailVariables): RenderedMail {
  const values = { ...variables, color: template.color }
  const subject = convert(renderPart('subject', template.subject, values), { wordwrap: false })
    .replace(/\s+/g, ' ')
    .trim()
  const inside = sanitizeHtml(renderPart('body', template.body, values), SAFE)
  const body = withUnsubscribeLink(inside, variables)
  return {
    subject,
    html: page(variables.language, subject, body),
    text: convert(body, AS_TEXT),
  }
}

interface MailVariables extends CommonVariables {
  message?: MessageVariable
  messages?: MessageVariable[]
}

function htmlOfMessages({ message, messages = [] }: MailVariables): Map<string, string> {
  const all = message ? [message, ...messages] : messages
  return new Map(all.flatMap(({ text, html }) => (html === undefined ? [] : [[text, html]])))
}

function withUnsubscribeLink(body: string, { unsubscribe_url: url, texts }: CommonVariables): string {
  if (!url || body.includes(escapeHtml(url))) return body
  return `${body}\n<p style="font-size:13px"><a href="${escapeHtml(url)}">${escapeHtml(texts?.unsubscribe ?? url)}</a></p>`
}

const AS_TEXT: HtmlToTextOptions = {
  wordwrap: false,
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: false } },
  ],
}

function renderPart(field: TemplateProblem['field'], source: string, variables: MailVariables): string {
  try {
    assertShallowBlocks(source)
    const text: string = liquid.parseAndRenderSync(source, variables, {
      ...LIMITS,
      globals: { htmlOf: htmlOfMessages(variables) },
    })
    if (text.length > MAX_MAIL_LENGTH) throw new Error('The mail is too large.')
    if (cutMarkup(text, { depth: MAX_ELEMENTS }).length < text.length) throw new Error(TOO_DEEP)
    return text
  } catch (error) {
    throw new TemplateFailed({ field, ...explain(error) })
  }
}

const TOO_DEEP = 'Elements or blocks are nested too deeply.'

/** Liquid calls itself for each block within a block, and would overflow the stack. */
function assertShallowBlocks(source: string): void {
  let depth = 0
  for (const [, end] of source.matchAll(/\{%-?\s*(end)?(?:if|unless|for|case|tablerow|capture|comment|raw)\b/g)) {
    depth += end ? -1 : 1
    if (depth > MAX_BLOCKS) throw new Error(TOO_DEEP)
  }
}

function explain(error: unknown): Pick<TemplateProblem, 'line' | 'message'> {
  const { message, token } = error as Partial<LiquidError>
  const [line = 1] = token?.getPosition?.() ?? []
  return { line, message: (message ?? 'it cannot be rendered').replace(/, line:\d+, col:\d+$/, '').slice(0, 500) }
}

function page(language: string, subject: string, body: string): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(subject)}</title></head>
<body style="margin:0;${BREAKS_WORDS}">
${body}
</body></html>
`
}

const STYLES = [
  'background',
  'background-color',
  'border',
  'border-bottom',
  'border-collapse',
  'border-color',
  'border-left',
  'border-radius',
  'border-right',
  'border-top',
  'color',
  'display',
  'font',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'height',
  'letter-spacing',
  'line-height',
  'list-style',
  'margin',
  'margin-bottom',
  'margin-left',
  'margin-right',
  'margin-top',
  'max-width',
  'min-width',
  'padding',
  'padding-bottom',
  'padding-left',
  'padding-right',
  'padding-top',
  'text-align',
  'text-decoration',
  'text-transform',
  'vertical-align',
  'white-space',
  'width',
  'word-break',
]
/** Only colour functions are allowed: others can load external resources. */
const STYLE_VALUE = /^(?:[^(){}\\]|rgba?\([\d\s,.%]*\)|hsla?\([\d\s,.%]*\))*$/i

const SAFE: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['a', 'b', 'blockquote', 'br', 'center', 'code', 'div', 'em', 'font', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr'],
    ...['i', 'img', 'li', 'ol', 'p', 'pre', 's', 'small', 'span', 'strong', 'sub', 'sup', 'u', 'ul'],
    ...['table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr'],
  ],
  allowedAttributes: {
    '*': ['align', 'bgcolor', 'dir', 'height', 'lang', 'role', 'style', 'title', 'valign', 'width'],
    a: ['href', 'target'],
    font: ['color', 'face', 'size'],
    img: ['alt', 'border', 'src'],
    table: ['border', 'cellpadding', 'cellspacing'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  allowedStyles: { '*': Object.fromEntries(STYLES.map((name) => [name, [STYLE_VALUE]])) },
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title'],
}
