import type { Message } from '#contract/conversations/messages.ts'
import type { Db } from '../../../platform/db/change.ts'
import { expandMessages, selectMessages } from '../../conversations/messages/messages.ts'

/** Maximum number of earlier messages sent when a thread starts late. */
const MAX_MESSAGES = 100

/** A message as shown to the team; undefined if it was deleted. */
export async function readMessage(db: Db, account_id: string, id: string): Promise<Message | undefined> {
  const row = await selectMessages(db, account_id).where('id', '=', id).executeTakeFirst()
  return row && (await expandMessages(db, account_id, [row]))[0]
}

/** The first message of a conversation. */
export async function readFirstMessage(
  db: Db,
  account_id: string,
  conversation_id: string,
): Promise<Message | undefined> {
  const row = await selectMessages(db, account_id)
    .where('conversation_id', '=', conversation_id)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  return row && (await expandMessages(db, account_id, [row]))[0]
}

/**
 * Messages before a given one that were never sent over a connection, because it was not connected. Failed and pending
 * deliveries are excluded; they are handled by themselves.
 */
export async function listUnsentBefore(
  db: Db,
  { account_id, authorization_id }: { account_id: string; authorization_id: string },
  { conversation_id, number }: Pick<Message, 'conversation_id' | 'number'>,
): Promise<Message[]> {
  const rows = await selectMessages(db, account_id)
    .where('conversation_id', '=', conversation_id)
    .where('number', '<', number)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('external_messages')
            .select('external_id')
            .whereRef('external_messages.account_id', '=', 'messages.account_id')
            .whereRef('external_messages.message_id', '=', 'messages.id')
            .where('authorization_id', '=', authorization_id),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('deliveries.id')
            .whereRef('deliveries.account_id', '=', 'messages.account_id')
            .whereRef('deliveries.message_id', '=', 'messages.id')
            .where('deliveries.authorization_id', '=', authorization_id)
            .where('kind', '=', 'post'),
        ),
      ),
    )
    .orderBy('number', 'desc')
    .limit(MAX_MESSAGES)
    .execute()
  return expandMessages(db, account_id, rows.reverse())
}
