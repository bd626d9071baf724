import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'

/** Many providers accept no larger mails, whatever our own mail server does. In bytes, as sent. */
const MAX_MAIL_BYTES = 20_000_000
/** Left for headers, text, HTML and the quotation. */
const RESERVED_BYTES = 500_000
/** Base64 writes three bytes as four characters, in lines of 76 with a line break. */
const ENCODED = (4 / 3) * (78 / 76)

/** Bytes of files that fit into one mail. `server_limit` is what the mail server accepts, encoded, if it says so. */
export function attachableBytes(server_limit: number | null | undefined): number {
  const limit = Math.min(MAX_MAIL_BYTES, server_limit || MAX_MAIL_BYTES)
  return Math.max(0, Math.floor((limit - Math.min(RESERVED_BYTES, limit / 4)) / ENCODED))
}

/**
 * The size up to which a mail server accepts mails, by its greeting; null if it names none. Connects, and sends nothing.
 * @throws the library's error if it cannot be reached
 */
export async function askSizeLimit(options: SMTPConnectionOptions): Promise<number | null> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const connection = new Connection(options)
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  connection.once('error', reject)
  connection.once('end', () => reject(new Error('The mail server closed the connection.')))
  connection.connect(() => {
    // The answer to the last EHLO, which is the one over the encrypted connection if there is one.
    const [, size] = /^250[- ]SIZE (\d{1,15})\s*$/im.exec(String(connection.lastServerResponse)) ?? []
    resolve(Number(size) || null)
    connection.quit()
  })
  return promise
}
