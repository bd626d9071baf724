import { conversationTagged } from '#contract/conversations/conversations.ts'
import { NotFound } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { getTag, loadTags } from '../../customers/tags/tags.ts'
import { lockConversation } from './conversations.ts'

/** Adds a tag of the account to a conversation, if it is missing. */
export async function tagConversation(change: Change, account_id: string, conversation_id: string, tag_id: string) {
  const { db } = change
  if (!(await lockConversation(db, account_id, conversation_id))) throw new NotFound()
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
  if (!(await lockConversation(db, account_id, conversation_id))) throw new NotFound()
  const { numDeletedRows } = await ofAccount(db, account_id)
    .deleteFrom('conversation_tags')
    .where('conversation_id', '=', conversation_id)
    .where('tag_id', '=', tag_id)
    .executeTakeFirst()
  if (!numDeletedRows) throw new NotFound()
  await announceTags(change, account_id, conversation_id)
}

async function announceTags(change: Change, account_id: string, conversation_id: string) {
  const tags = (await loadTags(change.db, account_id, [conversation_id])).get(conversation_id) ?? []
  change.announce(account_id, conversationTagged, { conversation_id, tags })
}
