import type { SendMailOptions, Transporter } from 'nodemailer'
import type { Log } from '../log.ts'
import { withinTime } from '../within-time.ts'

/** One mail as it goes to the mail server. */
export interface Mail {
  /** Stays the same when a mail is handed over again, so that mail servers recognise the second copy. */
  message_id: string
  to: string
  from_name: string | null
  reply_to: string | null
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  /** In place of the address of MAIL_FROM. */
  from_address?: string | null
  cc?: string[]
  bcc?: string[]
  files?: { filename: string; content_type: string; bytes: Buffer }[]
  /** A person wrote it, so mail programs may answer it by themselves. */
  isOfPerson?: boolean
}

/** The way to the mail server, or to the log where there is none. */
export interface Mailer {
  /** False when no mail server is set: mails are written down and nobody carries them. */
  isOn: boolean
  /** Hands a mail to the mail server. Throws MailRefused when it will never be taken, anything else may be tried again. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** The mail server will not take this mail, however often it is offered. */
export class MailRefused extends Error {}

const TIMEOUT_MS = 20_000
/** For one mail in all, however slowly it is taken. Whether it was is then unknown, and it is offered again under the same Message-ID. */
const TOTAL_MS = 120_000

/** Outgoing mail over SMTP. `from` is an address, perhaps with a name before it: `Parley <support@example.com>`. */
export function createMailer(smtpUrl: string | undefined, from: string, log: Log): Mailer {
  if (!smtpUrl) {
    return {
      isOn: false,
      async send({ to, subject, text }) {
        log.info(
          { to, subject, links: text.match(/https?:\/\/\S+/g) ?? [] },
          'No SMTP_URL is set, so this mail stays here',
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

/** Connects with the first mail, and the library is loaded with it. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  return createTransport({ url, pool: true, ...timeouts } as Parameters<typeof createTransport>[0])
}

/** The bytes of a mail and its envelope, for systems that take it other than from a mail server. `from` as in `asSent`. */
export async function composeMail(mail: Mail, from: string) {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer/index.js')
  return new MailComposer(asSent(mail, from)).compile()
}

/** A mail in the words of the library. `from` is used where the mail names no other sender. */
function asSent(mail: Mail, from: string): SendMailOptions {
  const { message_id, to, from_name, from_address, reply_to, subject, text, html, headers } = mail
  const { cc = [], bcc = [], files = [], isOfPerson = false } = mail
  const isNamed = !!from_name || !!from_address
  return {
    messageId: message_id,
    from: isNamed ? { name: from_name ?? '', address: from_address ?? addressIn(from) } : from,
    to: { name: '', address: to },
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

/** Where the mail server speaks of this mail: of its reader, or of what stands in it. */
const ABOUT_THE_MAIL: unknown[] = ['RCPT TO', 'DATA']

/**
 * Codes from 500 on mean never, if it is this mail that is refused. Whoever is not let in, or may not send in this name, is
 * all of us until the settings are mended, and everything else, a lost line included, means later as well.
 */
export function isRefusedForGood(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown }
  return Number(responseCode) >= 500 && ABOUT_THE_MAIL.includes(command)
}
