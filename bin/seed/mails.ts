import { DOMAIN, type Row } from './company.ts'

interface SeededMail {
  account_id: string
  message_id: string
  conversation_id: string
  byCustomer: boolean
  /** Its place in the conversation, from 0. */
  n: number
  subject: string
  from: { address: string; name: string }
  to: string
  body: string
  at: string
}

/** The row of a mail, for `MAIL_COLUMNS`. */
export function mailRow({
  account_id,
  message_id,
  conversation_id,
  byCustomer,
  n,
  subject,
  from,
  to,
  body,
  at,
}: SeededMail): Row {
  return [
    account_id,
    message_id,
    conversation_id,
    byCustomer ? 'in' : 'out',
    `<${message_id}@${byCustomer ? 'mail.example.com' : DOMAIN}>`,
    n === 0 ? subject : `Re: ${subject}`,
    from.address,
    from.name,
    byCustomer ? 'pass' : null,
    `{"${to}"}`,
    byCustomer ? asHtml(body) : null,
    at,
  ]
}

/** As mail programs write it. */
function asHtml(body: string): string {
  const text = body.replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char]!)
  const paragraphs = text.split('\n\n').map((paragraph) => {
    const items = paragraph.split('\n')
    return items.every((item) => item.startsWith('- '))
      ? `<ul>${items.map((item) => `<li>${item.slice(2)}</li>`).join('')}</ul>`
      : `<p>${items.join('<br>')}</p>`
  })
  return `<html><body><div style="font-family: Helvetica, Arial, sans-serif; font-size: 14px; color: #222">${paragraphs.join('')}</div></body></html>`
}
