import { parseMail } from '../../features/conversation-mails/parse.ts'
import { type Proof, readAuthenticationResults } from '../../features/conversation-mails/sender.ts'
import { listRecipients } from '../../features/conversation-mails/thread-signs.ts'

/** What a mail in a mailbox of many addresses says of its way there. */
export interface DeliveryNotes {
  /** To whom it was delivered, as the mailbox's own server wrote it above everything else. No sender can write there. */
  delivered_to: string[]
  /** Every address that it names as one to which it went. Some of them whoever sent it wrote. */
  named: string[]
  /** Of the envelope: who sent it, where the mailbox's own server noted it. */
  from: string | undefined
  proof: Proof
}

const HEADER_BYTES = 250_000
/** Names under which servers note the address to which they deliver, beside those that all ways in know. */
const DELIVERED = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'x-delivered-to', 'x-rcpt-to']

/**
 * Reads them off the headers alone, so that nothing of a large mail is looked at.
 * @throws MailUnreadable
 */
export async function readDeliveryNotes(raw: Buffer, mail_host: string): Promise<DeliveryNotes> {
  const head = headOf(raw)
  const all = await parseMail(head)
  const ownServers = await parseMail(aboveFirst(/^received:/im, head))
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

/** The mail's first lines, up to the empty one. */
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

/** Servers also write for whom they received a mail: `from … by … for <somebody@example.com>; Monday`. */
function listAddresses(fields: string[], received: string[]): string[] {
  const receivers = received.flatMap((line) => /\bfor\s+<([^<>\s]+)>/i.exec(line)?.[1] ?? [])
  return [...fields.map((field) => field.replace(/^.*<|>.*$/g, '')), ...receivers].map((one) =>
    one.trim().toLowerCase(),
  )
}
