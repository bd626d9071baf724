import type { Context } from '../../../context.ts'
import { Forbidden } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { postMessage } from '../../conversations/conversations/posting.ts'
import { startConversation } from '../../conversations/conversations/starting.ts'
import { storeAttachments } from './attachments.ts'
import { applyBounce } from './bounces.ts'
import { applyComplaint } from './complaint.ts'
import { findActiveUser, findOrCreateSender } from './find-author.ts'
import { type FoundConversation, findConversation } from './find-conversation.ts'
import { readMailHistory } from './mail-history.ts'
import { chooseAuthor } from './message-author.ts'
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
    /** The transport's own verdict about the sender. */
    proof?: Proof
    gmail_thread?: string
    /** Metadata that existing clients read. */
    metadata?: Record<string, unknown>
    /** Newsletters and mailing lists are wanted here. */
    takes_lists?: boolean
    /** Forms write to this address, in the name of the people in Reply-To. */
    takes_forms?: boolean
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
  const { db } = context
  const { account_id, hints } = incoming
  const own = await listOwnAddresses(context, account_id)
  const reading = await read(context, incoming, own)
  if ('unreadable' in reading) return ignored(reading.unreadable)
  const { mail, verdict } = reading
  const reason = await incoming.inspect?.(mail)
  if (reason) return ignored(reason)
  if (verdict.kind === 'bounce') return applyBounce(context, account_id, verdict.report)
  if (verdict.kind === 'automatic' && verdict.complaint) return applyComplaint(context, account_id, verdict.complaint)
  const from = hints.sent ? mail.from : reading.sender.address
  if (!from) return ignored('It has no sender.')
  if (verdict.kind === 'own' && verdict.isMarked) return ignored(`It was sent by Parley itself (${verdict.reason}).`)
  if (verdict.kind === 'own' && !hints.is_wanted) {
    return ignored('It comes from an address of yours and names nobody to answer. A form has to set Reply-To.')
  }
  if (await isSentByUs(db, account_id, mail, own)) return ignored('It was sent by Parley itself.')
  const user = await findActiveUser(db, account_id, from.address)
  const existing = await findConversation(db, account_id, {
    // A form writes in the name of people who did not see what it may refer to.
    signs: reading.sender.isOfForm ? { ...reading.signs, answers: [], unsigned: undefined } : reading.signs,
    from_address: from.address,
    named: [...mail.to, ...mail.cc].map(({ address }) => address),
    own,
    isOfTeam: !!hints.sent || !!user,
    authorization_id: incoming.authorization_id,
    gmail_thread: reading.sender.isOfForm ? null : (hints.gmail_thread ?? null),
  })
  const refusal = await findRefusal(context, incoming, { ...reading, from }, { existing, user })
  if (refusal) return ignored(refusal)
  return store(context, incoming, { ...reading, from, own, isOfMember: !!user && !hints.sent }, existing)
}

/** Reads a mail in a worker process. */
function read(context: Context, { account_id, raw, envelope, hints }: IncomingMail, own: ReadonlySet<string>) {
  return readMailInWorker(context, account_id, raw, {
    secretKey: context.config.secretKey!,
    // Mails the team sent in another program come from our own address, but are wanted.
    own_addresses: hints.sent ? new Set() : own,
    envelope_from: hints.sent ? undefined : envelope.from,
    recipients: envelope.recipients,
    mail_host: hints.mail_host,
    proof: hints.proof,
    takes_forms: hints.takes_forms,
  })
}

/** Whether we sent this mail. Its Message-ID alone says little: everybody who received it knows that. */
async function isSentByUs(
  db: Db,
  account_id: string,
  { message_id, from }: ParsedMail,
  own: ReadonlySet<string>,
): Promise<boolean> {
  const sent = message_id && (await findSent(db, account_id, [message_id]))
  return !!sent && !!from && (own.has(from.address) || sent.from_address?.toLowerCase() === from.address)
}

/** Why a mail is not posted, if it is not. */
async function findRefusal(
  { db }: Context,
  { account_id, hints }: IncomingMail,
  { from, verdict }: Pick<MailWithSender, 'from' | 'verdict'>,
  { existing, user }: { existing: FoundConversation | undefined; user: object | undefined },
): Promise<string | undefined> {
  if (hints.is_wanted) return undefined
  if (hints.sent) return existing ? undefined : 'It was sent elsewhere and belongs to no conversation here.'
  if (verdict.kind === 'automatic' && user) return 'It is an automatic reply of a team member.'
  if (verdict.kind === 'automatic' && !existing) return `It is an automatic reply (${verdict.reason}).`
  if (verdict.kind === 'list' && !hints.takes_lists && !existing)
    return `It is a newsletter or a mailing list (${verdict.reason}).`
  // What belongs to an open conversation is awaited there, however much it is.
  const isAwaited = existing !== undefined && existing.closed_at === null
  if (!isAwaited && (await isFlooding(db, account_id, from.address))) {
    return `${from.address} has sent more than ten mails within ten minutes, so this one is not processed automatically.`
  }
  return undefined
}

/** A mail to be stored. */
export type MailWithSender = MailReading & {
  from: MailAddress
  own: ReadonlySet<string>
  /** From the address of a team member, proven or not. */
  isOfMember: boolean
}

async function store(
  context: Context,
  incoming: IncomingMail,
  reading: MailWithSender,
  existing: FoundConversation | undefined,
): Promise<MailOutcome> {
  const { db, change } = context
  const { account_id, raw } = incoming
  const message_id = messageIdOf(account_id, existing?.id ?? incoming.inbox_id ?? '', reading)
  const before = await findStored(db, account_id, message_id)
  if (before) return { kind: 'posted', ...before }
  const files = await storeAttachments(context, account_id, reading)
  const key = await storeOriginal(context, account_id, message_id, raw)
  try {
    return await change(async (tx) => {
      const again = await findStored(tx.db, account_id, message_id)
      if (again) return { kind: 'posted', ...again }
      const conversation = await chooseConversation(tx, incoming, reading, existing)
      const { author, draft } = await chooseAuthor(tx, incoming, reading, conversation)
      const { id: conversation_id, customer_id } = conversation
      await postMessage(context, tx, account_id, author, {
        ...draft,
        metadata: { ...draft.metadata, ...incoming.hints.metadata },
        id: message_id,
        conversation_id,
        file_ids: files.map(({ id }) => id),
      })
      const { authorization_id, hints } = incoming
      const record = {
        account_id,
        message_id,
        conversation_id,
        authorization_id,
        gmail_thread: hints.gmail_thread ?? null,
      }
      const kind = reading.verdict.kind === 'own' ? 'person' : reading.verdict.kind
      await insertIncoming(tx, record, reading, kind)
      await tx.db
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

/**
 * The conversation found, unless it was closed too long ago; else a new one, with its customer if they take part in it,
 * or with the sender.
 */
async function chooseConversation(
  change: Change,
  { account_id, inbox_id, hints }: IncomingMail,
  { from, mail, own, isOfMember }: MailWithSender,
  existing: FoundConversation | undefined,
) {
  const isOld = existing?.closed_at && Date.parse(existing.closed_at) < Date.now() - REOPENED_DAYS * 86_400_000
  // Members write notes, which reopen nothing, and never become customers by them.
  if (existing && (!isOld || isOfMember)) return existing
  const participants = existing && (await readMailHistory(change.db, account_id, existing, { own })).participants
  const isContinued = existing && (hints.sent || participants?.has(from.address))
  const customer_id = isContinued ? existing.customer_id : await findOrCreateSender(change, account_id, from)
  return startConversation(change, account_id, {
    customer_id,
    inbox_id: existing?.inbox_id ?? inbox_id,
    source: 'email',
    subject: mail.subject || null,
    ...(isContinued && { metadata: { previous_conversation_id: existing.id } }),
  })
}
