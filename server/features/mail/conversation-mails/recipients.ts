import type { MailRecipient, MailRecipients } from '#contract/mail/message-mails.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { getConversation } from '../../conversations/conversations/conversations.ts'
import type { StoredMailOptions } from '../../conversations/conversations/mail-options.ts'
import { readAttachableBytes } from './attachable-bytes.ts'
import { type MailHistory, readMailHistory } from './mail-history.ts'
import { listOwnAddresses } from './own-addresses.ts'

/** To whom a mail goes, and whether all of them took part before. */
export interface Recipients {
  to: string[]
  cc: string[]
  bcc: string[]
  history: MailHistory
}

interface AnsweredConversation {
  id: string
  customer_id: string
}

/**
 * Chooses the recipients of a reply: those that its author chose, else the conversation's customer and the people in
 * copy. The line above the composer and the mail itself come from here.
 */
export async function chooseRecipients(
  context: Pick<Context, 'db' | 'config'>,
  account_id: string,
  conversation: AnsweredConversation,
  { before, options }: { before?: number; options?: StoredMailOptions | undefined } = {},
): Promise<Recipients> {
  const own = await listOwnAddresses(context, account_id)
  const history = await readMailHistory(context.db, account_id, conversation, { own, before })
  const to = options?.recipients ?? (history.to ? [history.to] : [])
  const bcc = options?.bcc ?? []
  const named = new Set([...to, ...bcc].map((address) => address.toLowerCase()))
  const cc = options?.cc ?? history.cc.filter((address) => !named.has(address))
  return { to, cc, bcc, history }
}

/**
 * To whom the next reply goes, for the team.
 * @throws NotFound
 */
export async function readRecipients(
  context: Pick<Context, 'db' | 'config' | 'mailer'>,
  account_id: string,
  conversation_id: string,
): Promise<MailRecipients> {
  const conversation = await getConversation(context.db, account_id, conversation_id, 'last')
  if (conversation.source !== 'email') return { to: [], cc: [], participants: [], attachable_bytes: 0 }
  const { to, cc, history } = await chooseRecipients(context, account_id, conversation)
  const names = await readNames(context.db, account_id, conversation_id, [...to, ...cc])
  if (conversation.customer.email && conversation.customer.name) {
    names.set(conversation.customer.email.toLowerCase(), conversation.customer.name)
  }
  const attachable_bytes = await readAttachableBytes(context, account_id)
  const presentRecipient = (address: string): MailRecipient => ({
    address,
    name: names.get(address) ?? null,
    is_new: !history.participants.has(address),
  })
  return {
    to: to.map(presentRecipient),
    cc: cc.map(presentRecipient),
    participants: [...history.participants],
    attachable_bytes,
  }
}

/** The names by which people wrote here. */
async function readNames(
  db: Db,
  account_id: string,
  conversation_id: string,
  addresses: string[],
): Promise<Map<string, string>> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('message_mails')
    .select(['from_address', 'from_name'])
    .where('conversation_id', '=', conversation_id)
    .where('direction', '=', 'in')
    .where('from_address', 'in', addresses)
    .where('from_name', 'is not', null)
    .orderBy('created_at')
    .execute()
  return new Map(
    rows.flatMap(({ from_address, from_name }) => (from_address && from_name ? [[from_address, from_name]] : [])),
  )
}
