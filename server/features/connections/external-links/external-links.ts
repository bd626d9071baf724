import { sql } from 'kysely'
import type { PlannedThread } from '../../../integration.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'

interface ExternalKey {
  account_id: string
  authorization_id: string
  /** The channel of the thread or message in the other system; empty where there are none. */
  place?: string
}

interface NewThread extends ExternalKey {
  thread: string
  conversation_id: string
  role: 'origin' | 'mirror'
  permalink?: string | null
}

/** Links a conversation to a thread. An existing link stays; returns its conversation. */
export async function linkThread(
  { db }: Pick<Change, 'db'>,
  { account_id, authorization_id, place = '', thread, conversation_id, role, permalink = null }: NewThread,
): Promise<{ conversation_id: string }> {
  const values = { account_id, id: newId(), authorization_id, conversation_id, role, place, thread, permalink }
  return db
    .insertInto('external_threads')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'authorization_id', 'place', 'thread'])
        .doUpdateSet((row) => ({ conversation_id: row.ref('external_threads.conversation_id') })),
    )
    .returning('conversation_id')
    .executeTakeFirstOrThrow()
}

/** The conversation of a thread. */
export function findThread(db: Db, { account_id, authorization_id, place = '' }: ExternalKey, thread: string) {
  return ofAccount(db, account_id)
    .selectFrom('external_threads')
    .select(['id', 'conversation_id', 'role', 'place', 'thread'])
    .where('authorization_id', '=', authorization_id)
    .where('place', '=', place)
    .where('thread', '=', thread)
    .executeTakeFirst()
}

/** Stores the address of a thread, or the state of the conversation that it shows. */
export async function updateThread(
  { db }: Pick<Change, 'db'>,
  { account_id, authorization_id, place = '' }: ExternalKey,
  thread: string,
  changes: { permalink?: string; shown_status?: string },
): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('external_threads')
    .set(changes)
    .where('authorization_id', '=', authorization_id)
    .where('place', '=', place)
    .where('thread', '=', thread)
    .execute()
}

/**
 * Moves the mirrors of one conversation to another that has none in the same connection. The others stay: what is
 * written there reaches the other conversation through the pointer. Returns the moved ones.
 */
export async function moveMirrors(
  { db }: Pick<Change, 'db'>,
  account_id: string,
  from_id: string,
  to_id: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update external_threads t set conversation_id = ${to_id}
    where account_id = ${account_id} and conversation_id = ${from_id} and role = 'mirror'
      and not exists (
        select from external_threads own
        where own.account_id = t.account_id and own.conversation_id = ${to_id}
          and own.authorization_id = t.authorization_id and own.role = 'mirror')
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Moves mirrors back that still belong to the other conversation. */
export async function moveMirrorsBack(
  { db }: Pick<Change, 'db'>,
  account_id: string,
  ids: string[],
  from_id: string,
  to_id: string,
): Promise<void> {
  if (ids.length === 0) return
  await ofAccount(db, account_id)
    .updateTable('external_threads')
    .set({ conversation_id: to_id })
    .where('conversation_id', '=', from_id)
    .where('id', 'in', ids)
    .execute()
}

/** The threads of a conversation, first place first. */
export async function listThreads(
  db: Db,
  account_id: string,
  conversation_ids: string[],
): Promise<(PlannedThread & { conversation_id: string; permalink: string | null })[]> {
  if (conversation_ids.length === 0) return []
  return ofAccount(db, account_id)
    .selectFrom('external_threads')
    .select(['id', 'authorization_id', 'conversation_id', 'role', 'place', 'thread', 'permalink', 'shown_status'])
    .where('conversation_id', 'in', conversation_ids)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

interface ExternalMessage extends ExternalKey {
  external_id: string
  message_id: string | null
  direction: 'in' | 'out'
}

/** Links a message to its external id. False if it is linked already: an echo, or a repeat. */
export async function linkMessage(
  { db }: Pick<Change, 'db'>,
  { account_id, authorization_id, place = '', external_id, message_id, direction }: ExternalMessage,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('external_messages')
    .values({ account_id, authorization_id, place, external_id, message_id, direction })
    .onConflict((conflict) => conflict.columns(['account_id', 'authorization_id', 'place', 'external_id']).doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) > 0
}

/** The message with an external id. */
export function findMessage(db: Db, { account_id, authorization_id, place = '' }: ExternalKey, external_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('external_messages')
    .select(['message_id', 'direction'])
    .where('authorization_id', '=', authorization_id)
    .where('place', '=', place)
    .where('external_id', '=', external_id)
    .executeTakeFirst()
}

/** Removes a message's external id, so that it can be sent there again. */
export async function unlinkMessage(
  { db }: Pick<Change, 'db'>,
  { account_id, authorization_id }: Omit<ExternalKey, 'place'>,
  external_id: string,
): Promise<void> {
  await ofAccount(db, account_id)
    .deleteFrom('external_messages')
    .where('authorization_id', '=', authorization_id)
    .where('external_id', '=', external_id)
    .execute()
}

/** Where the newest message of a conversation was received over a connection. */
export async function findLastChannelIn(
  db: Db,
  { account_id, authorization_id }: Omit<ExternalKey, 'place'>,
  conversation_id: string,
): Promise<string | undefined> {
  const newest = await ofAccount(db, account_id)
    .selectFrom('external_messages')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.account_id', '=', 'external_messages.account_id')
        .onRef('messages.id', '=', 'external_messages.message_id'),
    )
    .select('place')
    .where('authorization_id', '=', authorization_id)
    .where('conversation_id', '=', conversation_id)
    .where('direction', '=', 'in')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.place
}

/** The external id of a message sent over a connection, if it was sent. */
export function findSentAs(db: Db, { account_id, authorization_id }: Omit<ExternalKey, 'place'>, message_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('external_messages')
    .select(['place', 'external_id'])
    .where('authorization_id', '=', authorization_id)
    .where('message_id', '=', message_id)
    .where('direction', '=', 'out')
    .limit(1)
    .executeTakeFirst()
}

/** The message with this external id that was sent over a connection, at any place. */
export function findSentMessage(
  db: Db,
  { account_id, authorization_id }: Omit<ExternalKey, 'place'>,
  external_id: string,
) {
  return ofAccount(db, account_id)
    .selectFrom('external_messages')
    .select(['message_id', 'place'])
    .where('authorization_id', '=', authorization_id)
    .where('external_id', '=', external_id)
    .where('direction', '=', 'out')
    .executeTakeFirst()
}

/** External ids of messages, including deleted ones. */
export async function listExternalMessages(db: Db, account_id: string, message_ids: string[]) {
  if (message_ids.length === 0) return []
  return ofAccount(db, account_id)
    .selectFrom('external_messages')
    .select(['message_id', 'authorization_id', 'place', 'external_id', 'direction'])
    .where('message_id', 'in', message_ids)
    .execute()
}
