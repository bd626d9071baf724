import type { PlannedThread } from '../../integration.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { newId } from '../../platform/secrets.ts'

interface Place {
  account_id: string
  authorization_id: string
  /** Of the thread or message at the other side: a channel, or nothing where there is only one place. */
  place?: string
}

interface NewThread extends Place {
  thread: string
  conversation_id: string
  role: 'origin' | 'mirror'
  permalink?: string | null
}

/** Notes where a conversation is known. What is known already stays, and tells its conversation. */
export async function linkThread(
  { db }: Pick<Change, 'db'>,
  { account_id, authorization_id, place = '', thread, conversation_id, role, permalink = null }: NewThread,
): Promise<{ conversation_id: string }> {
  const values = { account_id, id: newId(), authorization_id, conversation_id, role, place, thread, permalink }
  return db
    .insertInto('external_threads')
    .values(values)
    .onConflict((taken) =>
      taken
        .columns(['account_id', 'authorization_id', 'place', 'thread'])
        .doUpdateSet((row) => ({ conversation_id: row.ref('external_threads.conversation_id') })),
    )
    .returning('conversation_id')
    .executeTakeFirstOrThrow()
}

/** The conversation of a thread. */
export function findThread(db: Db, { account_id, authorization_id, place = '' }: Place, thread: string) {
  return db
    .selectFrom('external_threads')
    .select(['id', 'conversation_id', 'role', 'place', 'thread'])
    .where('account_id', '=', account_id)
    .where('authorization_id', '=', authorization_id)
    .where('place', '=', place)
    .where('thread', '=', thread)
    .executeTakeFirst()
}

/** Notes where people open a thread, or what it shows of its conversation now. */
export async function updateThread(
  { db }: Pick<Change, 'db'>,
  { account_id, authorization_id, place = '' }: Place,
  thread: string,
  changes: { permalink?: string; shown_status?: string },
): Promise<void> {
  await db
    .updateTable('external_threads')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('authorization_id', '=', authorization_id)
    .where('place', '=', place)
    .where('thread', '=', thread)
    .execute()
}

/** Where a conversation is known, the first place first. */
export async function listThreads(
  db: Db,
  account_id: string,
  conversation_ids: string[],
): Promise<(PlannedThread & { conversation_id: string; permalink: string | null })[]> {
  if (conversation_ids.length === 0) return []
  return db
    .selectFrom('external_threads')
    .select(['id', 'authorization_id', 'conversation_id', 'role', 'place', 'thread', 'permalink', 'shown_status'])
    .where('account_id', '=', account_id)
    .where('conversation_id', 'in', conversation_ids)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

interface ExternalMessage extends Place {
  external_id: string
  message_id: string | null
  direction: 'in' | 'out'
}

/** Notes what a message is called elsewhere. False when that is known already: an echo, or a repeat. */
export async function linkMessage(
  { db }: Pick<Change, 'db'>,
  { account_id, authorization_id, place = '', external_id, message_id, direction }: ExternalMessage,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('external_messages')
    .values({ account_id, authorization_id, place, external_id, message_id, direction })
    .onConflict((taken) => taken.columns(['account_id', 'authorization_id', 'place', 'external_id']).doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) > 0
}

/** The message behind what it is called elsewhere. */
export function findMessage(db: Db, { account_id, authorization_id, place = '' }: Place, external_id: string) {
  return db
    .selectFrom('external_messages')
    .select(['message_id', 'direction'])
    .where('account_id', '=', account_id)
    .where('authorization_id', '=', authorization_id)
    .where('place', '=', place)
    .where('external_id', '=', external_id)
    .executeTakeFirst()
}

/** Forgets what a message is called elsewhere, so that it may go there again. */
export async function unlinkMessage(
  { db }: Pick<Change, 'db'>,
  { account_id, authorization_id }: Omit<Place, 'place'>,
  external_id: string,
): Promise<void> {
  await db
    .deleteFrom('external_messages')
    .where('account_id', '=', account_id)
    .where('authorization_id', '=', authorization_id)
    .where('external_id', '=', external_id)
    .execute()
}

/** Where at a connection the newest message of a conversation came in. */
export async function findLastPlaceIn(
  db: Db,
  { account_id, authorization_id }: Omit<Place, 'place'>,
  conversation_id: string,
): Promise<string | undefined> {
  const newest = await db
    .selectFrom('external_messages')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.account_id', '=', 'external_messages.account_id')
        .onRef('messages.id', '=', 'external_messages.message_id'),
    )
    .select('place')
    .where('external_messages.account_id', '=', account_id)
    .where('authorization_id', '=', authorization_id)
    .where('conversation_id', '=', conversation_id)
    .where('direction', '=', 'in')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.place
}

/** What one of our messages is called at a connection, if it was sent there. */
export function findSentAs(db: Db, { account_id, authorization_id }: Omit<Place, 'place'>, message_id: string) {
  return db
    .selectFrom('external_messages')
    .select(['place', 'external_id'])
    .where('account_id', '=', account_id)
    .where('authorization_id', '=', authorization_id)
    .where('message_id', '=', message_id)
    .where('direction', '=', 'out')
    .limit(1)
    .executeTakeFirst()
}

/** Which of our messages something is that was sent by a connection, whatever its place. */
export function findSentMessage(db: Db, { account_id, authorization_id }: Omit<Place, 'place'>, external_id: string) {
  return db
    .selectFrom('external_messages')
    .select(['message_id', 'place'])
    .where('account_id', '=', account_id)
    .where('authorization_id', '=', authorization_id)
    .where('external_id', '=', external_id)
    .where('direction', '=', 'out')
    .executeTakeFirst()
}

/** What messages are called elsewhere, also when they were deleted here. */
export async function listExternalMessages(db: Db, account_id: string, message_ids: string[]) {
  if (message_ids.length === 0) return []
  return db
    .selectFrom('external_messages')
    .select(['message_id', 'authorization_id', 'place', 'external_id', 'direction'])
    .where('account_id', '=', account_id)
    .where('message_id', 'in', message_ids)
    .execute()
}
