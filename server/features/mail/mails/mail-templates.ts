import { directionOf } from '../../../languages.ts'
import { escapeHtml } from '../../../platform/html.ts'
import { BREAKS_WORDS, textToHtml } from './message-html.ts'
import { withoutLinks } from './without-links.ts'

/** A part of a mail. Text is plain; it is converted to HTML below. */
type Part =
  | { type: 'text'; text: string }
  | {
      type: 'quote'
      author: string
      time?: string
      text: string
      /** The same with its formatting. */
      html?: string
    }
  | { type: 'button'; label: string; href: string }
  /** Several links in a row, of which one is chosen. */
  | { type: 'choices'; choices: { label: string; href: string }[] }
  | { type: 'small'; text: string; href?: string }

/** The sender's appearance. */
export interface Brand {
  name: string
  logo: string | null
  /** `#rrggbb`; null for Parley's own. */
  color: string | null
}

export interface MailContent {
  /** Parley's own if left out. */
  brand?: Brand
  subject: string
  language: string
  /** The preview that mail programs show beside the subject. */
  preview: string
  parts: Part[]
}

/** The mail for programs without HTML. */
export function renderText({ parts }: MailContent): string {
  return `${parts.map(partAsText).join('\n\n')}\n`
}

function partAsText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'quote':
      return `${[withoutLinks(part.author), part.time].filter(Boolean).join(', ')}:\n${part.text.replace(/^/gm, '> ')}`
    case 'button':
      return `${part.label}: ${part.href}`
    case 'choices':
      return part.choices.map(({ label, href }) => `${label}: ${href}`).join('\n')
    case 'small':
      return part.href ? `${part.text}: ${part.href}` : part.text
  }
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const OURS: Brand = { name: 'Parley', logo: null, color: '#175e66' }

/** For mail programs with a dark mode; others use the inline styles. */
const DARK =
  '@media (prefers-color-scheme:dark){body,.ground{background:#14181d!important}.card{background:#1d232a!important;color:#e6eaee!important}.quote{background:#272e36!important;border-color:#3c4651!important}.quiet,.quiet a{color:#a4aeb9!important}.link{color:#7cc4d6!important}}'

/** The mail as HTML for old mail programs: one table, inline styles; it loads at most the company's logo. */
export function renderHtml({ subject, language, preview, parts, brand = OURS }: MailContent): string {
  const visible = parts.filter(({ type }) => type !== 'small')
  const below = parts.filter(({ type }) => type === 'small')
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title>
<style>${DARK}</style></head><body class="ground" style="margin:0;padding:24px 12px;background:#f6f5f2;color:#26302f;${BREAKS_WORDS};${FONT}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td class="quiet" style="padding:0 32px 14px;color:#5c6867;font-size:15px;font-weight:600;${FONT}">${head(brand)}</td></tr>
<tr><td class="card" style="padding:28px 32px 12px;background:#ffffff;border-top:3px solid ${colorOf(brand)};border-radius:12px;font-size:15px;line-height:1.55;${FONT}">
${visible.map((part) => partAsHtml(part, brand)).join('\n')}
</td></tr>
<tr><td class="quiet" style="padding:2px 32px 0;color:#5c6867;${FONT}">
${below.map((part) => partAsHtml(part, brand)).join('\n')}
</td></tr></table></body></html>
`
}

/** The logo if it is served over HTTPS, else the name. */
function head({ name, logo }: Brand): string {
  if (!logo?.startsWith('https://')) return escapeHtml(name)
  return `<img src="${escapeHtml(logo)}" alt="${escapeHtml(name)}" height="32" style="display:block;height:32px;max-width:200px;object-fit:contain;object-position:left">`
}

function colorOf({ color }: Brand): string {
  return color && /^#[\da-f]{6}$/i.test(color) ? color : OURS.color!
}

/** Black or white, whichever is more readable on a colour. */
function inkOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#101418' : '#ffffff'
}

function partAsHtml(part: Part, brand: Brand): string {
  switch (part.type) {
    case 'text':
      return `<p style="margin:0 0 16px">${lines(part.text)}</p>`
    case 'quote':
      return `<blockquote class="quote" style="margin:0 0 16px;padding:10px 14px;border-left:3px solid #cfd8d6;background:#f6f7f6">
<div class="quiet" style="font-size:13px;color:#5c6867;margin-bottom:4px">${escapeHtml([withoutLinks(part.author), part.time].filter(Boolean).join(', '))}</div>
<div dir="auto">${part.html ?? textToHtml(part.text)}</div></blockquote>`
    case 'button': {
      const color = colorOf(brand)
      return `<p style="margin:24px 0"><a href="${escapeHtml(part.href)}" style="display:inline-block;padding:11px 20px;border-radius:8px;background:${color};color:${inkOn(color)};text-decoration:none;font-weight:600">${escapeHtml(part.label)}</a></p>`
    }
    case 'choices':
      return `<p style="margin:24px 0">${part.choices.map((choice) => choiceAsHtml(choice, brand)).join('\n')}</p>`
    case 'small':
      return `<p style="margin:10px 0 0;font-size:13px">${part.href ? `<a href="${escapeHtml(part.href)}" style="color:#5c6867">${lines(part.text)}</a>` : lines(part.text)}</p>`
  }
}

function choiceAsHtml({ label, href }: { label: string; href: string }, brand: Brand): string {
  return `<a class="link" href="${escapeHtml(href)}" style="display:inline-block;margin:0 6px 8px 0;padding:9px 14px;border:1px solid ${colorOf(brand)};border-radius:8px;color:#26302f;text-decoration:none">${escapeHtml(label)}</a>`
}

function lines(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>')
}
