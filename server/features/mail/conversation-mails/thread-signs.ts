import { readReplyAddress } from '../../../platform/mail/signed-marks.ts'
import type { ParsedMail } from './parse.ts'

/** What a mail says about its conversation, most reliable first. Looks nothing up. */
export interface ThreadSigns {
  /** Conversation id from an address signed by us. */
  signed: string | undefined
  /** Message-IDs that it answers, nearest first. */
  answers: string[]
  /**
   * Conversation id from an unsigned address or notification thread, which anybody could write: counts for its own
   * customer only.
   */
  unsigned: string | undefined
}

const RECIPIENT_HEADERS = ['delivered-to', 'x-original-to', 'x-forwarded-to', 'envelope-to']
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const OLD_ADDRESS = new RegExp(`(?:^|[+.])reply\\+(${UUID})@`, 'i')
const OLD_THREAD = new RegExp(`^<conversation-(${UUID})@`, 'i')
const ANSWERS_LIMIT = 20

/** Reads them from the envelope and the headers. */
export function readThreadSigns(mail: ParsedMail, secretKey: string, recipients: string[]): ThreadSigns {
  const addresses = listRecipients(mail, recipients)
  const signed = addresses.flatMap((address) => readReplyAddress(secretKey, address) ?? [])[0]
  const answers = [...new Set([...mail.in_reply_to, ...mail.references.toReversed()])].slice(0, ANSWERS_LIMIT)
  const old = [...addresses.map(readUnsignedAddress), ...answers.map((id) => OLD_THREAD.exec(id)?.[1])]
  return { signed, answers, unsigned: old.find((id) => id !== undefined)?.toLowerCase() }
}

/** The conversation of an unsigned reply address, as Papercups and Chatwoot sent them. Anybody could write such an address. */
export function readUnsignedAddress(address: string): string | undefined {
  return OLD_ADDRESS.exec(address)?.[1]?.toLowerCase()
}

/** All recipients in the envelope and the headers, in lower case. */
export function listRecipients(mail: ParsedMail, envelope: string[]): string[] {
  const recorded = RECIPIENT_HEADERS.flatMap((name) => mail.headers.get(name) ?? [])
  const written = [...mail.to, ...mail.cc].map(({ address }) => address)
  return [
    ...new Set(
      [...envelope, ...recorded, ...written].map((address) =>
        address
          .replace(/^.*<|>.*$/g, '')
          .trim()
          .toLowerCase(),
      ),
    ),
  ]
}
