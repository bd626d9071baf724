import type { ForwardingAddress } from '#contract/forwarding-addresses.ts'
import type { Context } from '../../context.ts'
import { readReplyAddress } from '../../platform/mail/signed-marks.ts'
import { ignored, type MailOutcome } from '../conversation-mails/outcome.ts'
import { MailUnreadable, parseMail } from '../conversation-mails/parse.ts'
import { receiveMail } from '../conversation-mails/receive-mail.ts'
import type { Proof } from '../conversation-mails/sender.ts'
import { findConversationById } from '../conversations/conversations.ts'
import { readConfirmation } from './confirmation.ts'
import { findByAddress, noteArrival } from './forwarding-addresses.ts'
import { isTestMailOf } from './test-mail.ts'

/** A mail as it arrived at the installation, before anybody knows whose it is. */
export interface ArrivedMail {
  raw: Buffer
  recipients: string[]
  from?: string
  proof?: Proof
}

/** Where an address of ours leads: to a conversation whose reply address it is, or to a forwarding address. */
type Target = { account_id: string; inbox_id: string | null; forwarding?: ForwardingAddress }

/** Whose mail an address takes; undefined for addresses that are none of ours, or of what is no more. */
export async function findTarget({ db, config }: Context, address: string): Promise<Target | undefined> {
  const conversation_id = readReplyAddress(config.secretKey!, address)
  if (conversation_id) {
    const conversation = await findConversationById(db, conversation_id)
    return conversation && { account_id: conversation.account_id, inbox_id: conversation.inbox_id }
  }
  const forwarding = await findByAddress(db, address)
  return forwarding && { account_id: forwarding.account_id, inbox_id: forwarding.inbox_id, forwarding }
}

/**
 * Hands a mail to those whose addresses it was sent to. Every recipient is answered for; one that is known twice stores
 * the mail once.
 */
export async function routeMail(
  context: Context,
  { raw, recipients, from, proof }: ArrivedMail,
): Promise<MailOutcome[]> {
  const outcomes: MailOutcome[] = []
  for (const recipient of new Set(recipients.map((one) => one.trim().toLowerCase()))) {
    const target = await findTarget(context, recipient)
    if (!target) continue
    const { account_id, inbox_id, forwarding } = target
    if (forwarding && (await isAboutForwarding(context, raw, forwarding))) {
      outcomes.push(ignored('It is about the forwarding itself.'))
      continue
    }
    outcomes.push(
      await receiveMail(context, {
        account_id,
        inbox_id,
        authorization_id: null,
        raw,
        envelope: { recipients: [recipient], ...(from !== undefined && { from }) },
        hints: { proof: proof ?? 'none', takes_lists: forwarding?.takes_lists ?? false },
      }),
    )
  }
  return outcomes
}

/** A test mail that came back, or a question of the mail service that is to forward. Every arrival is noted. */
async function isAboutForwarding(
  { change, config }: Context,
  raw: Buffer,
  forwarding: ForwardingAddress,
): Promise<boolean> {
  const mail = await parseMail(raw).catch((error: unknown) => {
    if (error instanceof MailUnreadable) return undefined
    throw error
  })
  if (!mail) return false
  const isVerified = isTestMailOf(config.secretKey!, mail, forwarding)
  const confirmation = readConfirmation(mail)
  await change((open) => noteArrival(open, forwarding, { isVerified, confirmation }))
  return isVerified || !!confirmation
}
