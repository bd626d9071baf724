import type { IncomingHttpHeaders } from 'node:http'
import { BadRequest } from '../../errors.ts'
import type { Proof } from '../../features/mail/conversation-mails/sender.ts'

/** A mail delivered by a relay. */
export interface RelayedMail {
  raw: Buffer
  recipients: string[]
  from?: string
  /** Set if the relay has authenticated the sender, and signs its calls. */
  proof?: Proof
}

/** Fields of a form as raw bytes, one character per byte, because mails are not always UTF-8. */
export type FormFields = Record<string, string>

/**
 * Parses a relay's request: the mail itself, or a form or JSON with the whole mail in a field.
 * @throws BadRequest if there is no whole mail
 */
export async function readRelayed(
  headers: IncomingHttpHeaders,
  body: Buffer,
  query: { to?: string | undefined; from?: string | undefined },
): Promise<RelayedMail> {
  const form = await readForm(headers, body)
  if (form) return fromForm(form)
  const type = headers['content-type']?.toLowerCase() ?? ''
  if (type.startsWith('application/json')) return fromJson(body)
  return { raw: body, recipients: listed(query.to), ...(query.from !== undefined && { from: query.from }) }
}

/**
 * The fields of a form; undefined if it is none. Bytes are kept by reading the form as latin1.
 * @throws BadRequest for a truncated form
 */
export async function readForm(
  { 'content-type': type = '' }: IncomingHttpHeaders,
  body: Buffer,
): Promise<FormFields | undefined> {
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    return Object.fromEntries(
      new URLSearchParams(body.toString('latin1')).entries().map(([name, value]) => [name, toBytes(value)]),
    )
  }
  if (!/^multipart\/form-data/i.test(type)) return undefined
  const widened = new Response(Buffer.from(body.toString('latin1'), 'utf8'), { headers: { 'content-type': type } })
  const form = await widened.formData().catch(() => {
    throw new BadRequest('The form in the body is incomplete.')
  })
  return Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** Mailgun sends the mail in `body-mime`, SendGrid in `email`. */
function fromForm(fields: FormFields): RelayedMail {
  const mime = fields['body-mime'] ?? fields.email
  if (!mime) {
    throw new BadRequest(
      'The form does not contain the raw mail. In Mailgun, the URL of the route has to end in "mime"; in SendGrid, switch on "POST the raw, full MIME message".',
    )
  }
  const envelope = readEnvelope(fields.envelope)
  const from = envelope.from ?? fields.sender
  return {
    raw: Buffer.from(mime, 'latin1'),
    recipients: [...envelope.to, ...listed(fields.recipient)],
    ...(from !== undefined && { from }),
  }
}

function readEnvelope(text: string | undefined): { to: string[]; from?: string } {
  try {
    const { to, from } = JSON.parse(text ?? '{}') as { to?: unknown; from?: unknown }
    const all = Array.isArray(to) ? to : [to]
    return { to: all.filter((recipient) => typeof recipient === 'string'), ...(typeof from === 'string' && { from }) }
  } catch {
    return { to: [] }
  }
}

/** Postmark sends the mail in `RawEmail`. */
function fromJson(body: Buffer): RelayedMail {
  let fields: Record<string, unknown>
  try {
    fields = JSON.parse(body.toString('utf8'))
  } catch {
    throw new BadRequest('The body cannot be read.')
  }
  const { RawEmail, OriginalRecipient, From } = fields ?? {}
  if (typeof RawEmail !== 'string') {
    throw new BadRequest(
      'The body does not contain the raw mail. In Postmark, switch on "Include raw email content in JSON payload".',
    )
  }
  return {
    raw: Buffer.from(RawEmail, 'utf8'),
    recipients: typeof OriginalRecipient === 'string' ? listed(OriginalRecipient) : [],
    ...(typeof From === 'string' && { from: From }),
  }
}

function listed(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}
