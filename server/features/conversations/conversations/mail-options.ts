import type { Selectable } from 'kysely'
import type { MailOptions, MessageDraft } from '#contract/conversations/messages.ts'
import { Unacceptable } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import type { Database } from '../../../platform/db/schema.ts'

const ADDRESS = /^[^\s@<>()",;:]+@[^\s@<>()",;:]+$/
const ADDRESSES_LIMIT = 50
const SUBJECT_LIMIT = 1_000

interface Posted {
  conversation: { source: string }
  /** Whether it is a reply of the team, which is sent. */
  isReply: boolean
  draft: Pick<MessageDraft, 'mail' | 'metadata'>
}

/**
 * Recipients, subject and quotation that the author of a reply chose, whichever client they used; undefined if nothing.
 * Existing clients write them into the metadata.
 * @throws Unacceptable with a sentence about an address, or if the message is not sent by mail
 */
export function readMailOptions({ conversation, isReply, draft }: Posted): MailOptions | undefined {
  const isMail = isReply && conversation.source === 'email'
  const options = draft.mail ?? (isMail ? readMetadata(draft.metadata) : undefined)
  if (!options || Object.values(options).every((value) => value === undefined)) return undefined
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

function readMetadata(metadata: MessageDraft['metadata']): MailOptions | undefined {
  const { mail_cc, mail_bcc, mail_subject } = metadata ?? {}
  const listed = (value: unknown) =>
    Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined
  const subject = typeof mail_subject === 'string' && mail_subject.trim() ? mail_subject.trim() : undefined
  return { to: undefined, cc: listed(mail_cc), bcc: listed(mail_bcc), subject, quote: undefined }
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
