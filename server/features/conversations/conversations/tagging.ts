import { sql } from 'kysely'
import { conversationTagged } from '#contract/conversations/conversations.ts'
import { NotFound } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { getTag, loadTags } from '../../customers/tags/tags.ts'
import { assertNotMerged, lockConversation } from './conversations.ts'

/** Adds a tag of the account to a conversation, if it is missing. */
export async function tagConversation(change: Change, account_id: string, conversation_id: string, tag_id: string) {
  const { db } = change
  const conversation = await lockConversation(db, account_id, conversation_id)
  if (!conversation) throw new NotFound()
  assertNotMerged(conversation)
  await getTag(db, account_id, tag_id)
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('conversation_tags')
    .values({ account_id, conversation_id, tag_id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) await announceTags(change, account_id, conversation_id)
}

export async function untagConversation(change: Change, account_id: string, conversation_id: string, tag_id: string) {
  const { db } = change
  const conversation = await lockConversation(db, account_id, conversation_id)
  if (!conversation) throw new NotFound()
  assertNotMerged(conversation)
  const { numDeletedRows } = await ofAccount(db, account_id)
    .deleteFrom('conversation_tags')
    .where('conversation_id', '=', conversation_id)
    .where('tag_id', '=', tag_id)
    .executeTakeFirst()
  if (!numDeletedRows) throw new NotFound()
  await announceTags(change, account_id, conversation_id)
}

/** Adds the tags of one conversation to another, without announcing it. Returns those that it lacked. */
export async function copyTags({ db }: Change, account_id: string, from_id: string, to_id: string): Promise<string[]> {
  const { rows } = await sql<{ tag_id: string }>`
    insert into conversation_tags (account_id, conversation_id, tag_id)
    select account_id, ${to_id}, tag_id from conversation_tags
    where account_id = ${account_id} and conversation_id = ${from_id}
    on conflict do nothing returning tag_id`.execute(db)
  return rows.map(({ tag_id }) => tag_id)
}

/** Removes copied tags again, and announces those that are left. */
export async function removeCopiedTags(change: Change, account_id: string, conversation_id: string, tag_ids: string[]) {
  if (tag_ids.length === 0) return
  await ofAccount(change.db, account_id)
    .deleteFrom('conversation_tags')
    .where('conversation_id', '=', conversation_id)
    .where('tag_id', 'in', tag_ids)
    .execute()
  await announceTags(change, account_id, conversation_id)
}

/** Announces the tags of a conversation after they have changed. */
export async function announceTags(change: Change, account_id: string, conversation_id: string) {
  const tags = (await loadTags(change.db, account_id, [conversation_id])).get(conversation_id) ?? []
  change.announce(account_id, conversationTagged, { conversation_id, tags })
}
