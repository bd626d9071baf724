import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { ForwardingAddress } from '#contract/mail/forwarding-addresses.ts'
import type { Context } from '../../../context.ts'
import type { InboundOutcome, ReceivedEvent } from '../../../integration.ts'
import { readReplyAddress } from '../../../platform/mail/signed-marks.ts'
import { storeBytes, storeInbound } from '../../connections/inbound/store-event.ts'
import { findConversationById } from '../../conversations/conversations/conversations.ts'
import { outcomeOf } from '../conversation-mails/outcome.ts'
import type { ParsedMail } from '../conversation-mails/parse.ts'
import { receiveMail } from '../conversation-mails/receive-mail.ts'
import { type Proof, resultFor, UNPROVEN } from '../conversation-mails/sender.ts'
import { readUnsignedAddress } from '../conversation-mails/thread-signs.ts'
import { readConfirmation } from './confirmation.ts'
import { findByAddress, recordArrival } from './forwarding-addresses.ts'
import { consumeMailQuota } from './incoming-quota.ts'
import { isTestMailOf } from './test-mail.ts'

/** A mail that arrived at the installation, before its recipient is known. */
export interface ArrivedMail {
  raw: Buffer
  recipients: string[]
  from?: string
  proof?: Proof
}

const MAX_RECIPIENTS = 200

/** What an address of ours belongs to: a conversation with that reply address, or a forwarding address. */
type Target = { account_id: string; inbox_id: string | null; forwarding?: ForwardingAddress }

/** The owner of an address; undefined if it is not ours, or its owner was deleted. */
export async function findTarget({ db, config }: Context, address: string): Promise<Target | undefined> {
  // In old mails of another product the address has no signature. It only says whose mail this is: in the conversation
  // itself an unsigned address counts for nobody but its customer and the team.
  const conversation_id = readReplyAddress(config.secretKey!, address) ?? readUnsignedAddress(address)
  if (conversation_id) {
    const conversation = await findConversationById(db, conversation_id)
    return conversation && { account_id: conversation.account_id, inbox_id: conversation.inbox_id }
  }
  const forwarding = await findByAddress(db, address)
  return forwarding && { account_id: forwarding.account_id, inbox_id: forwarding.inbox_id, forwarding }
}

/** Those of these addresses that are ours. */
export async function filterOwn(context: Context, addresses: string[]): Promise<string[]> {
  const own = await Promise.all(
    addresses.slice(0, MAX_RECIPIENTS).map(async (address) => ((await findTarget(context, address)) ? address : [])),
  )
  return own.flat()
}

/**
 * Stores a mail for all of its recipients here. After that its delivery may be acknowledged.
 * @throws MailQuotaExceeded if one of their accounts has received too much; then it is stored for nobody
 */
export async function storeMail(context: Context, { raw, recipients, from, proof }: ArrivedMail): Promise<void> {
  const hash = createHash('sha256').update(raw).digest('hex')
  const unique = [...new Set(recipients.map((recipient) => recipient.trim().toLowerCase()))]
  const resolved = await Promise.all(
    unique.map(async (recipient) => ({ recipient, ...(await findTarget(context, recipient)) })),
  )
  const targets = resolved.flatMap(({ recipient, account_id }) => (account_id ? [{ recipient, account_id }] : []))
  for (const { account_id } of targets) await consumeMailQuota(context, account_id, raw.length)
  for (const { recipient, account_id } of targets) {
    const file_key = await storeBytes(context, account_id, raw)
    await context.change((tx) =>
      storeInbound(context, tx, {
        account_id,
        integration: 'ses',
        authorization_id: null,
        key: `${hash} ${recipient}`,
        // Mails of one sender are processed in order.
        queue: `mail ${from || hash}`,
        payload: { recipient, from, proof },
        file_key,
      }),
    )
  }
}

const StoredProof = z.object({ result: z.enum(['pass', 'fail', 'none']), domain: z.nullable(z.string()) })

const Payload = z.object({
  recipient: z.string(),
  from: z.optional(z.string()),
  // A verdict alone, as it was stored before, does not say for which domain it was given.
  proof: z.optional(z.catch(StoredProof, UNPROVEN)),
  is_wanted: z.optional(z.boolean()),
})

/** Processes a stored mail into a message, or whatever else it is. */
export async function receiveStoredMail(context: Context, { payload, bytes }: ReceivedEvent): Promise<InboundOutcome> {
  const { recipient, from, proof = UNPROVEN, is_wanted } = z.parse(Payload, payload)
  const target = await findTarget(context, recipient)
  if (!target || !bytes) return { state: 'ignored', reason: 'The address it was sent to no longer exists.' }
  const { account_id, inbox_id, forwarding } = target
  return outcomeOf(
    await receiveMail(context, {
      account_id,
      inbox_id,
      authorization_id: null,
      raw: bytes,
      envelope: { recipients: [recipient], ...(from !== undefined && { from }) },
      ...(forwarding && { inspect: (mail) => recordForwarded(context, forwarding, mail, proof) }),
      hints: {
        proof,
        takes_lists: forwarding?.takes_lists ?? false,
        takes_forms: forwarding?.takes_forms ?? false,
        ...(is_wanted && { is_wanted }),
      },
    }),
  )
}

/**
 * Records the arrival of a forwarded mail. A test mail that came back, or a mail service's request to confirm
 * forwarding, is about the forwarding itself.
 */
async function recordForwarded(
  { change, config }: Context,
  forwarding: ForwardingAddress,
  mail: ParsedMail,
  proof: Proof,
): Promise<string | undefined> {
  const isVerified = isTestMailOf(config.secretKey!, mail, forwarding)
  const confirmation = readConfirmation(mail, resultFor(proof, mail))
  await change((tx) => recordArrival(tx, forwarding, { isVerified, confirmation }))
  return isVerified || confirmation ? 'It is a confirmation of the forwarding itself.' : undefined
}
