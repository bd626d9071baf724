import { createHash } from 'node:crypto'
import type { MessageMail } from '#contract/mail/message-mails.ts'
import { visibleText } from '#contract/text/visible.ts'
import { NotFound } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { deriveId } from '../../../platform/secrets.ts'
import type { Verdict } from './classify.ts'
import type { MailAddress } from './parse.ts'
import type { MailReading } from './read-mail.ts'

/** Longer HTML is not stored: it is a newsletter, whose original is kept for a month. */
export const STORED_HTML = 500_000

/** The record of a message's mail. */
export interface MessageMailRecord {
  account_id: string
  message_id: string
  conversation_id: string
  authorization_id: string | null
  gmail_thread: string | null
}

/**
 * The id of a mail's message: the same whenever and however the mail arrives, so that it is stored once. Depends on the
 * sender and the content, because some programs give all their mails one Message-ID.
 */
export function messageIdOf(account_id: string, target: string, { mail, sender }: MailReading): string {
  const content = createHash('sha256')
  // Servers on the way change headers and line ends.
  for (const text of [mail.subject, mail.text, mail.html]) content.update(`${text?.replace(/\s+/g, ' ').trim()}\n`)
  for (const { filename, bytes } of mail.files) content.update(`${filename} ${bytes.length}\n`)
  const parts = ['mail', account_id, target, mail.message_id, sender.address?.address, content.digest('hex')]
  return deriveId(JSON.stringify(parts))
}

/** Stores the mail of a received message. */
export async function insertIncoming(
  { db }: Change,
  record: MessageMailRecord,
  reading: MailReading & { from: MailAddress },
  verdict: Exclude<Verdict['kind'], 'own'>,
) {
  const { mail, from, sender, answer_to } = reading
  await db
    .insertInto('message_mails')
    .values({
      ...record,
      direction: 'in',
      verdict,
      message_header: mail.message_id,
      in_reply_to: mail.in_reply_to,
      refs: mail.references,
      subject: mail.subject,
      from_address: from.address,
      from_name: from.name && visibleText(from.name),
      proof: sender.result,
      answer_to: answer_to?.address ?? null,
      recipients: mail.to.map(({ address }) => address),
      cc: mail.cc.map(({ address }) => address),
      html: mail.html && mail.html.length <= STORED_HTML ? mail.html : null,
    })
    .execute()
}

/** The id of a mail's message once it was split off from its conversation, or that was undone. */
export function splitIdOf(message_id: string): string {
  return deriveId(`split off ${message_id}`)
}

/** How often a mail can be split off and moved back, and is still recognised when it arrives again. */
const MOVES_LIMIT = 6

/** Whether a mail was stored before, and in which conversation, even if it was split off since. */
export function findStored(db: Db, account_id: string, message_id: string) {
  const ids = [message_id]
  for (let moves = 0; moves < MOVES_LIMIT; moves++) ids.push(splitIdOf(ids.at(-1)!))
  return ofAccount(db, account_id)
    .selectFrom('message_mails')
    .select(['conversation_id', 'message_id'])
    .where('message_id', 'in', ids)
    .executeTakeFirst()
}

/** A mail sent by us, with one of these Message-IDs. */
export function findSent(db: Db, account_id: string, message_headers: string[]) {
  if (message_headers.length === 0) return undefined
  return ofAccount(db, account_id)
    .selectFrom('message_mails')
    .select(['conversation_id', 'message_id', 'from_address', 'recipients'])
    .where('direction', '=', 'out')
    .where('message_header', 'in', message_headers)
    .limit(1)
    .executeTakeFirst()
}

const FLOOD_MINUTES = 10
const FLOOD_MAILS = 10

/** Whether this sender wrote so much recently that their next mail is held back. */
export async function isFlooding(db: Db, account_id: string, from_address: string): Promise<boolean> {
  const since = new Date(Date.now() - FLOOD_MINUTES * 60_000).toISOString()
  const rows = await ofAccount(db, account_id)
    .selectFrom('message_mails')
    .select('message_id')
    .where('direction', '=', 'in')
    .where('from_address', '=', from_address)
    .where('created_at', '>', since)
    .limit(FLOOD_MAILS)
    .execute()
  return rows.length >= FLOOD_MAILS
}

/**
 * The mail of a message.
 * @throws NotFound for messages that were no mails
 */
export async function getMessageMail(db: Db, account_id: string, message_id: string): Promise<MessageMail> {
  const row = await ofAccount(db, account_id)
    .selectFrom('message_mails')
    .select([
      'message_id',
      'direction',
      'subject',
      'from_address',
      'from_name',
      'answer_to',
      'recipients',
      'cc',
      'bcc',
      'html',
      'proof',
      'bounced_at',
      'bounce_reason',
      'created_at',
    ])
    .where('message_id', '=', message_id)
    .executeTakeFirst()
  if (!row) throw new NotFound()
  return row
}
