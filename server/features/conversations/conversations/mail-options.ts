import type { Selectable } from 'kysely'
import type { MailOptions } from '#contract/conversations/messages.ts'
import { Unacceptable } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import type { Database } from '../../../platform/db/schema.ts'

const ADDRESS = /^[^\s@<>()",;:]+@[^\s@<>()",;:]+$/
const ADDRESSES_LIMIT = 50
const SUBJECT_LIMIT = 1_000

/** What the author of a message chose for its mail. */
export interface ChosenMail {
  mail?: MailOptions | null | undefined
  /** The client does not know whether the message is sent by mail. If it is not, `mail` has no effect. */
  isMailOptional?: boolean
}

/**
 * Recipients, subject and quotation as they are stored; undefined if nothing was chosen. `isMail`: the message is a reply
 * of the team in a conversation by mail.
 * @throws Unacceptable with a sentence about an address, or if the message is not sent by mail
 */
export function readMailOptions(
  { mail: options, isMailOptional }: ChosenMail,
  isMail: boolean,
): MailOptions | undefined {
  if (!options || Object.values(options).every((value) => value === undefined)) return undefined
  if (!isMail && isMailOptional) return undefined
  if (!isMail) throw new Unacceptable('Only replies by email have recipients and a subject.')
  const seen = new Set<string>()
  const once = (addresses: string[] | undefined) => addresses && checkAddresses(addresses, seen)
  const [to, cc, bcc] = [once(options.to), once(options.cc), once(options.bcc)]
  if (to?.length === 0) throw new Unacceptable('Choose at least one person to whom the mail goes.')
  const { subject, quote } = options
  return { to, cc, bcc, subject: subject?.slice(0, SUBJECT_LIMIT), quote }
}

/** Without those that are named before. */
function checkAddresses(addresses: string[], seen: Set<string>): string[] {
  if (addresses.length > ADDRESSES_LIMIT) {
    throw new Unacceptable(`A mail can have ${ADDRESSES_LIMIT} recipients of each kind at most.`)
  }
  return addresses.flatMap((text) => {
    const address = text.trim()
    if (!ADDRESS.test(address) || address.length > 320) {
      throw new Unacceptable(`“${address.slice(0, 100)}” is not an email address. Correct or remove it.`)
    }
    const key = address.toLowerCase()
    if (/(?:^|\+)reply\+/.test(key)) {
      throw new Unacceptable(`${address.slice(0, 100)} is the address of a conversation. Remove it.`)
    }
    if (seen.has(key)) return []
    seen.add(key)
    return [address]
  })
}

/** Stores what the author chose, in the transaction of the message. */
export function storeMailOptions(
  { db }: Change,
  message: { account_id: string; id: string; conversation_id: string },
  { to, cc, bcc, subject, quote }: MailOptions,
): Promise<unknown> {
  const { account_id, id: message_id, conversation_id } = message
  return db
    .insertInto('mail_options')
    .values({
      account_id,
      message_id,
      conversation_id,
      recipients: to ?? null,
      cc: cc ?? null,
      bcc: bcc ?? null,
      subject: subject ?? null,
      quotes: quote ?? null,
    })
    .execute()
}

/** What the author of a message chose for its mail; null where the server chooses. */
export type StoredMailOptions = Pick<
  Selectable<Database['mail_options']>,
  'recipients' | 'cc' | 'bcc' | 'subject' | 'quotes'
>

/** What the author of a message chose for its mail; undefined if nothing. */
export function findMailOptions(
  db: Db,
  account_id: string,
  message_id: string,
): Promise<StoredMailOptions | undefined> {
  return ofAccount(db, account_id)
    .selectFrom('mail_options')
    .select(['recipients', 'cc', 'bcc', 'subject', 'quotes'])
    .where('message_id', '=', message_id)
    .executeTakeFirst()
}
