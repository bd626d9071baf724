import type { ConversationRow, ManyChanges } from '#contract/conversations/conversations.ts'
import { Refusal } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { MakeChange } from '../../../platform/db/change.ts'
import { tagConversation } from './tagging.ts'
import { updateConversation } from './updating.ts'

/**
 * Makes one change to many conversations, each in a transaction of its own, so that a refused one does not affect the
 * others. Returns the changed ones, and the reasons for the rest.
 */
export async function updateConversations(
  change: MakeChange,
  caller: User,
  { ids, changes = {}, tag_id }: ManyChanges,
) {
  const changed: ConversationRow[] = []
  const refused: { id: string; message: string }[] = []
  for (const id of new Set(ids)) {
    try {
      const row = await change(async (tx) => {
        const updated = await updateConversation(tx, caller, id, changes)
        if (tag_id) await tagConversation(tx, caller.account_id, id, tag_id)
        return updated
      })
      changed.push(row)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.push({ id, message: error.message })
    }
  }
  return { changed, refused }
}
