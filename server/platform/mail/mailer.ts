import type { SendMailOptions, Transporter } from 'nodemailer'
import type { Log } from '../log.ts'
import { withinTime } from '../within-time.ts'

/** A mail for the mail server. */
export interface Mail {
  /** Stays the same when a mail is sent again, so that mail servers recognise the duplicate. */
  message_id: string
  /** One address, or several. */
  to: string | string[]
  from_name: string | null
  reply_to: string | null
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  /** Replaces the address of MAIL_FROM. */
  from_address?: string | null
  cc?: string[]
  bcc?: string[]
  files?: { filename: string; content_type: string; bytes: Buffer }[]
  /** A person wrote it, so automatic answers are allowed. */
  isOfPerson?: boolean
}

/** Sends mails through the mail server; without one they are only logged. */
export interface Mailer {
  /** False if no mail server is set: mails are stored, and nothing sends them. */
  isOn: boolean
  /** Sends a mail. Throws MailRefused if it will never be accepted; after any other error it may be tried again. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** The mail server will never accept this mail. */
export class MailRefused extends Error {}

const TIMEOUT_MS = 20_000
/**
 * Maximum time for one mail. After a timeout it is unknown whether it was accepted, and it is sent again with the same
 * Message-ID.
 */
const TOTAL_MS = 120_000

/** Outgoing mail over SMTP. `from` is an address, optionally with a name: `Parley <support@example.com>`. */
export function createMailer(smtpUrl: string | undefined, from: string, log: Log): Mailer {
  if (!smtpUrl) {
    return {
      isOn: false,
      async send({ to, subject, text }) {
        log.info(
          { to, subject, links: text.match(/https?:\/\/\S+/g) ?? [] },
          'No SMTP_URL is set, so this mail is not sent',
        )
      },
      close: () => undefined,
    }
  }
  let transport: Promise<Transporter> | undefined
  return {
    isOn: true,
    async send(mail) {
      transport ??= openTransport(smtpUrl)
      const sending = transport.then((open) => open.sendMail(asSent(mail, from)))
      try {
        await withinTime(TOTAL_MS, sending, 'The mail server took too long.')
      } catch (error) {
        throw isRefusedForGood(error) ? new MailRefused((error as Error).message) : error
      }
    },
    close: () => void transport?.then((open) => open.close()),
  }
}

/** Connects, and loads the library, with the first mail. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  return createTransport({ url, pool: true, ...timeouts } as Parameters<typeof createTransport>[0])
}

/** The raw mail and its envelope, for systems other than a mail server. `from` as in `asSent`. */
export async function composeMail(mail: Mail, from: string) {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer/index.js')
  return new MailComposer(asSent(mail, from)).compile()
}

/** A mail in the library's shape. `from` is used if the mail names no other sender. */
function asSent(mail: Mail, from: string): SendMailOptions {
  const { message_id, to, from_name, from_address, reply_to, subject, text, html, headers } = mail
  const { cc = [], bcc = [], files = [], isOfPerson = false } = mail
  const isNamed = !!from_name || !!from_address
  return {
    messageId: message_id,
    from: isNamed ? { name: from_name ?? '', address: from_address ?? addressIn(from) } : from,
    to: [to].flat().map((address) => ({ name: '', address })),
    cc: cc.map((address) => ({ name: '', address })),
    bcc: bcc.map((address) => ({ name: '', address })),
    replyTo: reply_to ?? undefined,
    subject,
    text,
    html,
    attachments: files.map(({ filename, content_type, bytes }) => ({
      filename,
      contentType: content_type,
      content: bytes,
    })),
    headers: { ...(!isOfPerson && { 'Auto-Submitted': 'auto-generated' }), ...headers },
  }
}

function addressIn(from: string): string {
  return /<([^>]+)>/.exec(from)?.[1] ?? from
}

/** Commands whose errors concern this mail: its recipient, or its content. */
const ABOUT_THE_MAIL: unknown[] = ['RCPT TO', 'DATA']

/**
 * Codes from 500 on are final if they concern this mail. A refused sign-in or sender address affects all mails until
 * the settings are corrected, so it means later, as does everything else, including a lost connection.
 */
export function isRefusedForGood(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown }
  return Number(responseCode) >= 500 && ABOUT_THE_MAIL.includes(command)
}
