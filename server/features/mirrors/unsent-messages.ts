import type { Message } from '#contract/messages.ts'
import type { Db } from '../../platform/db/change.ts'
import { expandMessages, selectMessages } from '../messages/messages.ts'

/** The most earlier messages that are sent when a thread begins late. */
const MOST = 100

/** A message as the team sees it; undefined when it is gone. */
export async function readMessage(db: Db, account_id: string, id: string): Promise<Message | undefined> {
  const row = await selectMessages(db, account_id).where('id', '=', id).executeTakeFirst()
  return row && (await expandMessages(db, account_id, [row]))[0]
}

/** The message that a conversation began with. */
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
 * What was said before a message and never went to a connection: while it was not connected, or before. What could not be sent, or
 * is on its way, has a place of its own.
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
    .limit(MOST)
    .execute()
  return expandMessages(db, account_id, rows.reverse())
}
