import type { ImapFlow, ListResponse } from 'imapflow'
import type { Transporter } from 'nodemailer'
import type { MailSecurity } from '#contract/integrations/mailbox.ts'
import type { Context } from '../../context.ts'
import { ConnectionRevoked, RetryLater } from '../../integration.ts'
import { describeConnectionProblem } from '../../platform/mail/connection-problem.ts'
import type { ConnectionTiming } from '../../platform/outbound/connection-timing.ts'
import { AddressRefused } from '../../platform/outbound/guard.ts'
import { withinTime } from '../../platform/within-time.ts'
import { countLines } from './line-limit.ts'

/** The credentials and servers of a mailbox. */
export interface MailboxCredentials {
  username: string
  password: string
  imap_host: string
  imap_port: number
  imap_security: MailSecurity
  smtp_host: string
  smtp_port: number
  smtp_security: MailSecurity
}

const CONNECT_MS = 20_000
const IDLE_RENEWED_MS = 5 * 60_000
/** Maximum size of a response: one mail with its envelope. */
const LARGEST_ANSWER = 60_000_000

/**
 * Signs in to the mailbox. The host was resolved by us, so that it cannot lead to a private address.
 * @throws Reconnect if the sign-in is refused; Later if the server cannot be reached
 */
export async function openImap(
  { outbound, timing }: Pick<Context, 'outbound' | 'timing'>,
  credentials: MailboxCredentials,
): Promise<ImapFlow> {
  const { imap_host, imap_port, imap_security, username, password } = credentials
  const endpoint = {
    host: imap_host,
    address: await outbound.resolve(imap_host),
    port: imap_port,
    secure: imap_security === 'tls',
    ...(imap_security !== 'tls' && { doSTARTTLS: imap_security === 'starttls' }),
    auth: { user: username, pass: password },
  }
  return signIn(endpoint, timing)
}

/** An IMAP server, and who signs in. */
export interface ImapEndpoint {
  host: string
  /** The resolved address; the host name itself if private addresses are allowed. */
  address: string
  port: number
  secure: boolean
  /** If left out, the connection is encrypted if the server offers it. */
  doSTARTTLS?: boolean
  auth: { user: string; pass: string }
}

/**
 * Connects to an IMAP server.
 * @throws Reconnect if the sign-in is refused; Later if the server cannot be reached
 */
export async function signIn(
  { host, address, ...options }: ImapEndpoint,
  { greeting }: Pick<ConnectionTiming, 'greeting'>,
): Promise<ImapFlow> {
  // Loaded with the first mailbox.
  const { ImapFlow: Client } = await import('imapflow')
  let isFlooding = false
  const client = new Client({
    ...options,
    host: address,
    servername: nameOf(host),
    clientInfo: { name: 'Parley' },
    disableAutoIdle: true,
    maxIdleTime: IDLE_RENEWED_MS,
    maxLiteralSize: LARGEST_ANSWER,
    maxLineLength: 1_000_000,
    maxResponseSize: 2 * LARGEST_ANSWER,
    connectionTimeout: greeting,
    greetingTimeout: greeting,
    socketTimeout: 2 * IDLE_RENEWED_MS,
    logger: countLines(() => {
      isFlooding = true
      client.close()
    }),
  })
  // Without a listener, an error outside of a command would end the process. A broken connection is noticed by its end.
  client.on('error', () => undefined)
  try {
    // The library's own limits do not include the sign-in.
    await withinTime(2 * greeting, client.connect(), 'The mail server did not answer.')
    return client
  } catch (error) {
    client.close()
    throw isFlooding
      ? new RetryLater(`${host} does not behave like a mail server. Check its name and port.`)
      : explain(error, host)
  }
}

/** The SMTP side of a mailbox. Connects with the first mail. */
export async function openSmtp(
  { outbound }: Pick<Context, 'outbound'>,
  credentials: MailboxCredentials,
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport(await smtpOptions(outbound, credentials))
}

/** How the SMTP server of a mailbox is reached. Its host was resolved by us, as above. */
export async function smtpOptions(
  outbound: Context['outbound'],
  { smtp_host, smtp_port, smtp_security, username, password }: MailboxCredentials,
) {
  return {
    host: await outbound.resolve(smtp_host),
    port: smtp_port,
    secure: smtp_security === 'tls',
    requireTLS: smtp_security === 'starttls',
    ignoreTLS: smtp_security === 'none',
    tls: { servername: nameOf(smtp_host) },
    auth: { user: username, pass: password },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: 60_000,
  }
}

/** The name for checking the certificate; an IP address has none. */
function nameOf(host: string): string | undefined {
  return /^[\d.]+$|:/.test(host) ? undefined : host
}

interface MailFailure {
  authenticationFailed?: boolean
  responseText?: string
  response?: unknown
  code?: string
}

/** The error as a sentence that says what to do. */
export function explain(error: unknown, host: string): Error {
  if (error instanceof AddressRefused) return error
  const { authenticationFailed, responseText, code } = error as MailFailure
  if (authenticationFailed || code === 'EAUTH') {
    const details = responseText ? ` Response: ${responseText.slice(0, 200)}` : ''
    return new ConnectionRevoked(
      `${host} refused the user name or the password. Enter the new one, or an app password if your provider requires one.${details}`,
    )
  }
  const problem = describeConnectionProblem(error, host)
  return new RetryLater(problem ?? `${host} cannot be reached. Check its name, port and encryption.`)
}

/** The mailbox's folder for sent mails. */
export function sentFolderOf(folders: ListResponse[]): string | null {
  return folders.find(({ specialUse }) => specialUse === '\\Sent')?.path ?? null
}
