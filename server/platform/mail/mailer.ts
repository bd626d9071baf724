import type { SendMailOptions, Transporter } from 'nodemailer'
import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import type { Log } from '../log.ts'
import { withinTime } from '../within-time.ts'
import { describeConnectionProblem, isCertificateProblem } from './connection-problem.ts'
import { askSizeLimit } from './size-limit.ts'

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
  /** Connects and signs in without sending anything; `problem` tells the result. Never throws. */
  verify(): Promise<void>
  /** Why the mail server was not usable the last time it was asked, as a sentence; null if it was, or was not asked yet. */
  problem(): string | null
  /** The size up to which the mail server accepts mails, in bytes as sent; null if it is not known, or has none. */
  sizeLimit(): number | null
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
      verify: async () => undefined,
      problem: () => null,
      sizeLimit: () => null,
      close: () => undefined,
    }
  }
  return connectMailer(smtpUrl, from)
}

function connectMailer(smtpUrl: string, from: string): Mailer {
  let transport: Promise<Transporter> | undefined
  let problem: string | null = null
  let sizeLimit: number | null = null
  const connect = () => {
    transport ??= openTransport(smtpUrl)
    return transport
  }
  async function send(mail: Mail): Promise<void> {
    const sending = connect().then((open) => open.sendMail(asSent(mail, from)))
    try {
      await withinTime(TOTAL_MS, sending, 'The mail server took too long.')
      problem = null
    } catch (error) {
      if (isRefusedForGood(error)) throw new MailRefused((error as Error).message)
      if (isAboutTheMail(error)) throw error
      problem = describeProblem(error, smtpUrl)
      throw new Error(problem, { cause: error })
    }
  }
  async function verify(): Promise<void> {
    try {
      await withinTime(
        TOTAL_MS,
        connect().then(async (open) => {
          await open.verify()
          sizeLimit = await askSizeLimit(open.options as SMTPConnectionOptions)
        }),
        'The mail server took too long.',
      )
      problem = null
    } catch (error) {
      problem = describeProblem(error, smtpUrl)
    }
  }
  return {
    isOn: true,
    send,
    verify,
    problem: () => problem,
    sizeLimit: () => sizeLimit,
    close: () => void transport?.then((open) => open.close()),
  }
}

/** Why the mail server of SMTP_URL cannot be used, as a sentence that says what to do. */
function describeProblem(error: unknown, smtpUrl: string): string {
  const { host } = new URL(smtpUrl)
  if (isCertificateProblem(error)) {
    return `The certificate of ${host} is not valid for this name. Use the name in the certificate in SMTP_URL, or append ?tls.rejectUnauthorized=false to accept any certificate.`
  }
  const connection = describeConnectionProblem(error, host)
  if (connection) return `${connection} SMTP_URL starts with smtps:// for TLS, and with smtp:// for STARTTLS.`
  const { message } = error as Error
  if ((error as { code?: unknown }).code === 'EAUTH') {
    return `${host} refused the user name or the password in SMTP_URL: ${message}`
  }
  return `${host} does not accept mails: ${message}`
}

/** Connects, and loads the library, with the first mail. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  // The URL's own parameters, such as tls.rejectUnauthorized, override these.
  const local = isOnThisMachine(url) ? { tls: { rejectUnauthorized: false }, opportunisticTLS: true } : {}
  return createTransport({ url, pool: true, ...local, ...timeouts } as Parameters<typeof createTransport>[0])
}

/**
 * Whether the mail server is reached over the loopback interface. Nobody else can answer there, so its certificate proves
 * nothing, and is hardly ever for that name; nor is encryption needed, which some servers offer without a certificate.
 */
function isOnThisMachine(url: string): boolean {
  const hostname = new URL(url).hostname.toLowerCase()
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
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
  return isAboutTheMail(error) && Number((error as { responseCode?: unknown }).responseCode) >= 500
}

/** Whether the mail server works and has refused this mail, for good or for now. */
function isAboutTheMail(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown }
  return Number(responseCode) >= 400 && ABOUT_THE_MAIL.includes(command)
}
