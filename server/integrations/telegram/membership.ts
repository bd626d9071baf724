import type { Context } from '../../context.ts'
import { findIdentity, setUnsubscribed } from '../../features/connections/external-links/identities.ts'
import { postMessage } from '../../features/conversations/conversations/posting.ts'
import type { InboundOutcome } from '../../integration.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { deriveId } from '../../platform/secrets.ts'
import { chatAddressOf } from './chat-address.ts'
import type { Telegram } from './connection.ts'
import type { MemberChange } from './updates.ts'

const NOTES = {
  blocked:
    'The customer has blocked the bot in Telegram. Replies cannot reach them there until they start or unblock it.',
  returned: 'The customer has unblocked the bot in Telegram. Replies reach them again.',
}

/** Somebody blocked the bot, or came back: the team sees that in their conversation. */
export async function recordMembership(
  context: Context,
  { account_id, id, settings }: Telegram,
  { chat, from, date, new_chat_member }: MemberChange,
): Promise<InboundOutcome> {
  const external_id = String(from.id)
  const isBlocked = new_chat_member.status === 'kicked'
  return context.change(async (tx): Promise<InboundOutcome> => {
    const identity = await findIdentity(tx.db, account_id, 'telegram', external_id)
    if (!identity || isBlocked === (identity.unsubscribed_at !== null))
      return { state: 'ignored', reason: 'It changes nothing.' }
    const since = isBlocked ? new Date(date * 1000).toISOString() : null
    await setUnsubscribed(tx, account_id, 'telegram', external_id, since)
    const thread = await ofAccount(tx.db, account_id)
      .selectFrom('external_threads')
      .select('conversation_id')
      .where('authorization_id', '=', id)
      .where('place', '=', chatAddressOf(settings, chat.id))
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!thread) return { state: 'done' }
    const { conversation_id } = thread
    await postMessage(
      context,
      tx,
      account_id,
      { kind: 'bot', user_id: null },
      {
        id: deriveId(`telegram membership ${id} ${external_id} ${date} ${new_chat_member.status}`),
        conversation_id,
        body: isBlocked ? NOTES.blocked : NOTES.returned,
        type: 'note',
        private: true,
        source: 'telegram',
        isQuiet: true,
      },
    )
    return { state: 'done', conversation_id }
  })
}
