import type { Context } from '../../context.ts'
import { Forbidden } from '../../errors.ts'
import type { Change } from '../../platform/db/change.ts'
import { postMessage } from '../conversations/posting.ts'
import { startConversation } from '../conversations/starting.ts'
import { storeAttachments } from './attachments.ts'
import { applyBounce } from './bounces.ts'
import { draftOf } from './draft.ts'
import { findActiveUser, findAuthor, findOrCreateSender } from './find-author.ts'
import { type FoundConversation, findConversation } from './find-conversation.ts'
import { findSent, findStored, insertIncoming, isFlooding, messageIdOf } from './message-mails.ts'
import { storeOriginal } from './originals.ts'
import { ignored, type MailOutcome } from './outcome.ts'
import { listOwnAddresses } from './own-addresses.ts'
import type { MailAddress, ParsedMail } from './parse.ts'
import { readMailInWorker } from './read-in-worker.ts'
import type { MailReading } from './read-mail.ts'
import type { Proof } from './sender.ts'

/** A mail delivered by a transport. */
export interface IncomingMail {
  account_id: string
  /** The inbox for a new conversation; null is the primary one. */
  inbox_id: string | null
  /** The connection it arrived over, such as a mailbox. */
  authorization_id: string | null
  raw: Buffer
  envelope: { recipients: string[]; from?: string }
  /** Looks at the mail first; returns why it is no message, if it is none. */
  inspect?(mail: ParsedMail): Promise<string | undefined>
  hints: {
    /** From a mailbox's folder of sent mails: a team member wrote it in another program. */
    sent?: boolean
    /** The mailbox's user, for mails whose sender is no user. */
    mailbox_user_id?: number
    /** The mailbox's server; decides whose Authentication-Results are trusted. */
    mail_host?: string
    /** Set if the transport has authenticated the sender. */
    proof?: Proof
    gmail_thread?: string
    /** Metadata that existing clients read. */
    metadata?: Record<string, unknown>
    /** Newsletters and mailing lists are wanted here. */
    takes_lists?: boolean
    /** A team member has decided that it becomes a conversation, whatever its kind. */
    is_wanted?: boolean
  }
}

/** A conversation closed for longer is not reopened: a new one begins and refers to it. */
const REOPENED_DAYS = 30

/**
 * Processes a received mail: the only entry point, for forwarding addresses, mailboxes and relays alike. The same mail
 * may arrive again in any way, and is stored once.
 * @throws WorkerKilled if reading it takes too long or too much memory; WorkersBusy; WorkersStopped
 */
export async function receiveMail(context: Context, incoming: IncomingMail): Promise<MailOutcome> {
  const { db, config } = context
  const { account_id, raw, envelope, hints } = incoming
  const reading = await readMailInWorker(context, account_id, raw, {
    secretKey: config.secretKey!,
    // Mails the team sent in another program come from our own address, but are wanted.
    own_addresses: hints.sent ? new Set() : await listOwnAddresses(context, account_id),
    envelope_from: hints.sent ? undefined : envelope.from,
    recipients: envelope.recipients,
    mail_host: hints.mail_host,
    proof: hints.proof,
  })
  if ('unreadable' in reading) return ignored(reading.unreadable)
  const { mail, verdict } = reading
  const reason = await incoming.inspect?.(mail)
  if (reason) return ignored(reason)
  if (!mail.from) return ignored('It has no sender.')
  if (verdict.kind === 'own') return ignored(`It was sent by Parley itself (${verdict.reason}).`)
  if (mail.message_id && (await findSent(db, account_id, [mail.message_id]))) {
    return ignored('It was sent by Parley itself.')
  }
  if (verdict.kind === 'bounce') return applyBounce(context, account_id, verdict.report)
  const place = {
    signs: reading.signs,
    from_address: mail.from.address,
    authorization_id: incoming.authorization_id,
    gmail_thread: hints.gmail_thread ?? null,
  }
  const found = await findConversation(db, account_id, place)
  const refusal = await findRefusal(context, incoming, reading, found)
  if (refusal) return ignored(refusal)
  return store(context, incoming, { ...reading, from: mail.from }, found)
}

/** Why a mail is not posted, if it is not. */
async function findRefusal(
  { db }: Context,
  { account_id, hints }: IncomingMail,
  { mail, verdict }: MailReading,
  found: FoundConversation | undefined,
): Promise<string | undefined> {
  if (hints.is_wanted) return undefined
  if (hints.sent) return found ? undefined : 'It was sent elsewhere and belongs to no conversation here.'
  if (verdict.kind === 'automatic' && !found) return `It is an automatic reply (${verdict.reason}).`
  if (verdict.kind === 'list' && !hints.takes_lists && !found)
    return `It is a newsletter or a mailing list (${verdict.reason}).`
  if (await isFlooding(db, account_id, mail.from!.address)) {
    return `${mail.from!.address} has sent more than ten mails within ten minutes, so this one is not processed automatically.`
  }
  return undefined
}

type MailWithSender = MailReading & { from: MailAddress }

async function store(
  context: Context,
  incoming: IncomingMail,
  reading: MailWithSender,
  found: FoundConversation | undefined,
): Promise<MailOutcome> {
  const { db, change } = context
  const { account_id, raw } = incoming
  const message_id = messageIdOf(account_id, found?.id ?? incoming.inbox_id ?? '', raw, reading)
  const before = await findStored(db, account_id, message_id)
  if (before) return { kind: 'posted', ...before }
  const files = await storeAttachments(context, account_id, reading)
  const key = await storeOriginal(context, account_id, message_id, raw)
  try {
    return await change(async (open) => {
      const again = await findStored(open.db, account_id, message_id)
      if (again) return { kind: 'posted', ...again }
      const conversation = await chooseConversation(open, incoming, reading, found)
      const { author, draft } = await authorAndDraft(open, incoming, reading, conversation)
      const { id: conversation_id, customer_id } = conversation
      await postMessage(open, account_id, author, {
        ...draft,
        metadata: { ...draft.metadata, ...incoming.hints.metadata },
        id: message_id,
        conversation_id,
        file_ids: files.map(({ id }) => id),
      })
      const { authorization_id, hints } = incoming
      const place = {
        account_id,
        message_id,
        conversation_id,
        authorization_id,
        gmail_thread: hints.gmail_thread ?? null,
      }
      const kind = reading.verdict.kind === 'own' ? 'person' : reading.verdict.kind
      await insertIncoming(open, place, reading, kind)
      await open.db
        .insertInto('mail_originals')
        .values({ account_id, message_id, customer_id, key, size: raw.length })
        .execute()
      return { kind: 'posted', conversation_id, message_id }
    })
  } catch (error) {
    if (error instanceof Forbidden) return ignored('Its sender is blocked.')
    throw error
  }
}

/** The conversation found, unless it was closed too long ago; else a new one. */
async function chooseConversation(
  change: Change,
  { account_id, inbox_id }: IncomingMail,
  { from, mail }: MailWithSender,
  found: FoundConversation | undefined,
) {
  const isOld = found?.closed_at && Date.parse(found.closed_at) < Date.now() - REOPENED_DAYS * 86_400_000
  if (found && !isOld) return found
  const customer_id = found?.customer_id ?? (await findOrCreateSender(change, account_id, from))
  return startConversation(change, account_id, {
    customer_id,
    inbox_id: found?.inbox_id ?? inbox_id,
    source: 'email',
    subject: mail.subject || null,
    ...(found && { metadata: { previous_conversation_id: found.id } }),
  })
}

async function authorAndDraft(
  { db }: Change,
  { account_id, hints }: IncomingMail,
  reading: MailWithSender,
  { customer_id }: { customer_id: string },
) {
  if (hints.sent) {
    const user = await findActiveUser(db, account_id, reading.from.address)
    const user_id = user?.id ?? hints.mailbox_user_id ?? null
    // Nobody here has that address, so it is shown as a message of the team without author.
    const author = user_id === null ? { kind: 'bot' as const, user_id } : { kind: 'user' as const, user_id }
    return { author, draft: { ...draftOf(reading, { kind: 'customer' }), isQuiet: user_id === null } }
  }
  if (reading.verdict.kind === 'automatic') {
    const draft = { ...draftOf(reading, { kind: 'other', from: reading.from }), private: true, isQuiet: true }
    return { author: { kind: 'bot' as const, user_id: null }, draft }
  }
  const author = await findAuthor(db, account_id, customer_id, reading)
  const draft = draftOf(reading, author)
  switch (author.kind) {
    case 'user':
      return { author: { kind: 'user' as const, user_id: author.user_id }, draft }
    case 'unproven user':
      return { author: { kind: 'bot' as const, user_id: null }, draft: { ...draft, private: true } }
    default:
      return { author: { kind: 'customer' as const, customer_id }, draft }
  }
}
