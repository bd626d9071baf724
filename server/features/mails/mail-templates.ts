import { escapeHtml } from '../../platform/html.ts'

/** One part of a letter. Text from outside is plain text here; how it is written as HTML is decided below, once. */
type Part =
  | { type: 'text'; text: string }
  | { type: 'quote'; author: string; time?: string; text: string }
  | { type: 'button'; label: string; href: string }
  | { type: 'small'; text: string; href?: string }

export interface MailContent {
  subject: string
  language: 'en' | 'vi'
  /** What mail programs show beside the subject. */
  preview: string
  parts: Part[]
}

/** The letter for mail programs without HTML. */
export function renderText({ parts }: MailContent): string {
  return `${parts.map(partAsText).join('\n\n')}\n`
}

function partAsText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'quote':
      return `${[part.author, part.time].filter(Boolean).join(', ')}:\n${part.text.replace(/^/gm, '> ')}`
    case 'button':
      return `${part.label}: ${part.href}`
    case 'small':
      return part.href ? `${part.text}: ${part.href}` : part.text
  }
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** The letter as HTML that old mail programs understand: one table, styles in place, nothing loaded from anywhere. */
export function renderHtml({ subject, language, preview, parts }: MailContent): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f6f5f2;color:#26302f;${FONT}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td style="padding:28px 32px;background:#ffffff;border-radius:12px;font-size:15px;line-height:1.55;${FONT}">
${parts.map(partAsHtml).join('\n')}
</td></tr></table></body></html>
`
}

function partAsHtml(part: Part): string {
  switch (part.type) {
    case 'text':
      return `<p style="margin:0 0 16px">${lines(part.text)}</p>`
    case 'quote':
      return `<blockquote style="margin:0 0 16px;padding:10px 14px;border-left:3px solid #cfd8d6;background:#f6f7f6">
<div style="font-size:13px;color:#5c6867;margin-bottom:4px">${escapeHtml([part.author, part.time].filter(Boolean).join(', '))}</div>
<div dir="auto">${textToHtml(part.text)}</div></blockquote>`
    case 'button':
      return `<p style="margin:24px 0"><a href="${escapeHtml(part.href)}" style="display:inline-block;padding:11px 20px;border-radius:8px;background:#175e66;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(part.label)}</a></p>`
    case 'small':
      return `<p style="margin:16px 0 0;font-size:13px;color:#5c6867">${part.href ? `<a href="${escapeHtml(part.href)}" style="color:#5c6867">${lines(part.text)}</a>` : lines(part.text)}</p>`
  }
}

/** What somebody wrote, with its addresses to be clicked. */
export function textToHtml(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/)
    .map((piece, at) =>
      at % 2 ? `<a href="${escapeHtml(piece)}" style="color:#175e66">${escapeHtml(piece)}</a>` : lines(piece),
    )
    .join('')
}

function lines(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>')
}
