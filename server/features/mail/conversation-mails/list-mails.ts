import { sql } from 'kysely'
import type { MailOfConversation } from '#contract/mail/message-mails.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { getConversation } from '../../conversations/conversations/conversations.ts'
import { walkMails } from './mail-history.ts'
import { listOwnAddresses } from './own-addresses.ts'

const LISTED = 200

/**
 * The mails of a conversation, oldest first, with what the team has to know about their authors and recipients.
 * @throws NotFound
 */
export async function listMailsOfConversation(
  context: Pick<Context, 'db' | 'config'>,
  account_id: string,
  conversation_id: string,
): Promise<MailOfConversation[]> {
  const { db } = context
  const conversation = await getConversation(db, account_id, conversation_id, 'last')
  const own = await listOwnAddresses(context, account_id)
  const mails: MailOfConversation[] = []
  await walkMails(db, account_id, conversation, { own }, (row, { participants, last_answer }, customer) => {
    const { message_id, direction, from_address, from_name, proof, recipients, cc, bcc, isOfTeam, isOfPerson } = row
    const isParticipant = !!from_address && participants.has(from_address)
    const sender = from_address === customer ? 'customer' : isParticipant ? 'participant' : 'newcomer'
    const before = last_answer && [...last_answer.to, ...last_answer.cc]
    mails.push({
      message_id,
      direction,
      from_address,
      from_name,
      sender: !isOfTeam && isOfPerson ? sender : null,
      proof,
      recipients,
      cc,
      bcc,
      has_other_recipients: isOfTeam && !!before && !areSame(before, [...recipients, ...cc]),
    })
  })
  return [...mails, ...(await listUnsent(db, account_id, conversation_id))].slice(-LISTED)
}

function areSame(before: string[], now: string[]): boolean {
  const addresses = new Set(now.map((address) => address.toLowerCase()))
  return addresses.size === new Set(before).size && before.every((address) => addresses.has(address))
}

/** Replies that wait, with what their authors chose. */
async function listUnsent(db: Db, account_id: string, conversation_id: string): Promise<MailOfConversation[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('mail_options')
    .select(['message_id', 'recipients', 'cc', 'bcc'])
    .where('conversation_id', '=', conversation_id)
    .where(
      sql<boolean>`not exists (select from message_mails where message_mails.account_id = mail_options.account_id
        and message_mails.message_id = mail_options.message_id)`,
    )
    .limit(LISTED)
    .execute()
  const unknown = { from_address: null, from_name: null, sender: null, proof: null, has_other_recipients: false }
  return rows.map(({ message_id, recipients, cc, bcc }) => ({
    ...unknown,
    message_id,
    direction: 'out',
    recipients: recipients ?? [],
    cc: cc ?? [],
    bcc: bcc ?? [],
  }))
}
