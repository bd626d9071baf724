import { parseMail } from '../../features/mail/conversation-mails/parse.ts'
import { type Proof, readAuthenticationResults } from '../../features/mail/conversation-mails/sender.ts'
import { listRecipients } from '../../features/mail/conversation-mails/thread-signs.ts'

/** What the headers of a mail in a catch-all mailbox say about its delivery. */
export interface DeliveryNotes {
  /**
   * The addresses it was delivered to, by headers of the mailbox's own server at the top. Senders cannot forge these.
   */
  delivered_to: string[]
  /** All addresses named as recipients, possibly by the sender. */
  named: string[]
  /** The envelope's sender, if the mailbox's own server recorded it. */
  from: string | undefined
  proof: Proof
}

const HEADER_BYTES = 250_000
/** Headers in which servers record the delivery address, besides those known to all transports. */
const DELIVERED = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'x-delivered-to', 'x-rcpt-to']

/**
 * Reads only the headers, so that large mails cost nothing.
 * @throws MailUnreadable
 */
export async function readDeliveryNotes(raw: Buffer, mail_host: string): Promise<DeliveryNotes> {
  const head = headOf(raw)
  const all = parseMail(head)
  const ownServers = parseMail(aboveFirst(/^received:/im, head))
  const received = all.headers.get('received') ?? []
  const [return_path] = ownServers.headers.get('return-path') ?? []
  return {
    delivered_to: listAddresses(
      DELIVERED.flatMap((name) => ownServers.headers.get(name) ?? []),
      received.slice(0, 1),
    ),
    named: [
      ...new Set([
        ...listRecipients(all, []),
        ...listAddresses(
          DELIVERED.flatMap((name) => all.headers.get(name) ?? []),
          received,
        ),
      ]),
    ],
    from: return_path?.replace(/^.*<|>.*$/g, '').trim(),
    proof: readAuthenticationResults(all, mail_host),
  }
}

/** The header section, up to the first empty line. */
function headOf(raw: Buffer): Buffer {
  const start = raw.subarray(0, HEADER_BYTES)
  const text = start.toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  return Buffer.concat([start.subarray(0, end ? end.index : start.length), Buffer.from('\r\n\r\n')])
}

function aboveFirst(line: RegExp, head: Buffer): Buffer {
  const end = line.exec(head.toString('latin1'))
  return Buffer.concat([head.subarray(0, end ? end.index : 0), Buffer.from('\r\n\r\n')])
}

/** Received headers name recipients, too: `from … by … for <somebody@example.com>; Monday`. */
function listAddresses(fields: string[], received: string[]): string[] {
  const receivers = received.flatMap((line) => /\bfor\s+<([^<>\s]+)>/i.exec(line)?.[1] ?? [])
  return [...fields.map((field) => field.replace(/^.*<|>.*$/g, '')), ...receivers].map((address) =>
    address.trim().toLowerCase(),
  )
}
