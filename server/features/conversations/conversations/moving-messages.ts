import { sql } from 'kysely'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** Where a message is: its conversation, and its number there. */
export interface Position {
  id: string
  conversation_id: string
  number: number
}

/** The messages of a conversation, in their order. */
export function readPositions(db: Db, account_id: string, conversation_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('messages')
    .select(['id', 'conversation_id', 'number', 'created_at'])
    .where('conversation_id', '=', conversation_id)
    .orderBy('number')
    .execute()
}

/** Two lists in their order as one, by time. Each keeps its own order, even where its times do not follow it. */
export function sortIn<Item extends { created_at: string }>(items: Item[], others: Item[]): Item[] {
  const sorted: Item[] = []
  let next = 0
  for (const item of items) {
    while (next < others.length && others[next]!.created_at < item.created_at) sorted.push(others[next++]!)
    sorted.push(item)
  }
  return [...sorted, ...others.slice(next)]
}

/**
 * Moves messages to their new positions, with everything that names their conversation. In two steps, because the
 * database checks after each row that no number occurs twice.
 */
export async function moveMessages(change: Change, account_id: string, positions: Position[]): Promise<void> {
  const { db } = change
  const ids = positions.map(({ id }) => id)
  const conversation_ids = positions.map(({ conversation_id }) => conversation_id)
  const numbers = positions.map(({ number }) => number)
  await sql`
    update messages m set conversation_id = p.conversation_id, number = -p.number
    from unnest(${ids}::uuid[], ${conversation_ids}::uuid[], ${numbers}::int[]) p (id, conversation_id, number)
    where m.account_id = ${account_id} and m.id = p.id
      and (m.conversation_id, m.number) <> (p.conversation_id, p.number)`.execute(db)
  const touched = [...new Set(conversation_ids)]
  await sql`
    update messages set number = -number
    where account_id = ${account_id} and conversation_id = any (${touched}::uuid[]) and number < 0`.execute(db)
  await moveWhatNamesThem(change, account_id, ids)
}

/** What is kept of a message in other tables follows it. */
async function moveWhatNamesThem(tx: Change, account_id: string, ids: string[]): Promise<void> {
  for (const table of ['message_mails', 'mail_options', 'mentions']) {
    await sql`
      update ${sql.table(table)} t set conversation_id = m.conversation_id from messages m
      where t.account_id = ${account_id} and t.message_id = any (${ids}::uuid[])
        and m.account_id = t.account_id and m.id = t.message_id and t.conversation_id <> m.conversation_id`.execute(
      tx.db,
    )
  }
  await sql`
    update message_words w set conversation_id = m.conversation_id from messages m
    where m.account_id = ${account_id} and m.id = any (${ids}::uuid[]) and w.account_id = m.account_id
      and w.created_at = m.created_at and w.message_id = m.id and w.conversation_id <> m.conversation_id`.execute(tx.db)
}

/** The newest number and time of the messages of a conversation. */
export async function readNewest(db: Db, account_id: string, conversation_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('messages')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.max<number>('number'), sql.lit(0)).as('number'),
      eb.fn.max<string | null>('created_at').as('at'),
    ])
    .where('conversation_id', '=', conversation_id)
    .executeTakeFirstOrThrow()
}

/**
 * When the team first replied in a conversation from a moment on; null if it has not, or there is no such moment. What
 * opened a conversation is no reply, so replies from before the first known one do not count.
 */
export async function readFirstReply(
  db: Db,
  account_id: string,
  conversation_id: string,
  since: string | null,
): Promise<string | null> {
  if (since === null) return null
  const { at } = await ofAccount(db, account_id)
    .selectFrom('messages')
    .select((eb) => eb.fn.min<string | null>('created_at').as('at'))
    .where('conversation_id', '=', conversation_id)
    .where('created_at', '>=', since)
    .where('user_id', 'is not', null)
    .where('private', '=', false)
    .where('type', '=', 'reply')
    .executeTakeFirstOrThrow()
  return at
}
