import { readReplyAddress } from '../../platform/mail/signed-marks.ts'
import type { ParsedMail } from './parse.ts'

/** What a mail says of the conversation that it belongs to, the surest first. Nothing is looked up here. */
export interface ThreadSigns {
  /** By an address that we signed. */
  signed: string | undefined
  /** Ids of mails that it answers, the nearest first. */
  answers: string[]
  /** By an address or a thread of our notifications that anybody could write: counts for the customer of it alone. */
  unsigned: string | undefined
}

const RECIPIENT_HEADERS = ['delivered-to', 'x-original-to', 'x-forwarded-to', 'envelope-to']
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const OLD_ADDRESS = new RegExp(`(?:^|[+.])reply\\+(${UUID})@`, 'i')
const OLD_THREAD = new RegExp(`^<conversation-(${UUID})@`, 'i')
const ANSWERS_LIMIT = 20

/** Reads them off the envelope and the headers. */
export function readThreadSigns(mail: ParsedMail, secretKey: string, recipients: string[]): ThreadSigns {
  const addresses = listRecipients(mail, recipients)
  const signed = addresses.flatMap((address) => readReplyAddress(secretKey, address) ?? [])[0]
  const answers = [...new Set([...mail.in_reply_to, ...mail.references.toReversed()])].slice(0, ANSWERS_LIMIT)
  const old = [
    ...addresses.map((address) => OLD_ADDRESS.exec(address)?.[1]),
    ...answers.map((id) => OLD_THREAD.exec(id)?.[1]),
  ]
  return { signed, answers, unsigned: old.find((id) => id !== undefined)?.toLowerCase() }
}

/** Everybody to whom a mail was sent, as far as the envelope and the headers tell, in lower case. */
export function listRecipients(mail: ParsedMail, envelope: string[]): string[] {
  const noted = RECIPIENT_HEADERS.flatMap((name) => mail.headers.get(name) ?? [])
  const written = [...mail.to, ...mail.cc].map(({ address }) => address)
  return [
    ...new Set(
      [...envelope, ...noted, ...written].map((address) =>
        address
          .replace(/^.*<|>.*$/g, '')
          .trim()
          .toLowerCase(),
      ),
    ),
  ]
}
