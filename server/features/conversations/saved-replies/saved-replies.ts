import type { SavedReply, SavedReplyDraft } from '#contract/conversations/saved-replies.ts'
import { Invalid, NotFound } from '../../../errors.ts'
import { type Change, type Db, rethrowDuplicate } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'

const columns = ['id', 'name', 'content', 'created_at', 'updated_at'] as const

function presentSavedReply(row: Omit<SavedReply, 'object'>): SavedReply {
  return { ...row, object: 'canned_response' }
}

/** All saved replies of an account, last updated first. */
export async function listSavedReplies(db: Db, account_id: string): Promise<SavedReply[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('saved_replies')
    .select(columns)
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(presentSavedReply)
}

export async function getSavedReply(db: Db, account_id: string, id: string): Promise<SavedReply> {
  const row = await ofAccount(db, account_id)
    .selectFrom('saved_replies')
    .select(columns)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new NotFound()
  return presentSavedReply(row)
}

/** Agents type the name after a slash, so a slash inside it could never be typed. */
function typeable({ name, ...rest }: Partial<SavedReplyDraft>): Partial<SavedReplyDraft> {
  if (name === undefined) return rest
  const typed = name.replaceAll('/', '').trim()
  if (!typed) throw new Invalid({ name: ["can't be blank"] })
  return { ...rest, name: typed }
}

export async function createSavedReply(
  { db }: Change,
  account_id: string,
  draft: SavedReplyDraft,
): Promise<SavedReply> {
  return presentSavedReply(
    await db
      .insertInto('saved_replies')
      .values({ id: newId(), account_id, ...draft, ...typeable(draft) })
      .returning(columns)
      .executeTakeFirstOrThrow()
      .catch(rethrowDuplicate('name')),
  )
}

export async function updateSavedReply(
  { db }: Change,
  account_id: string,
  id: string,
  changes: Partial<SavedReplyDraft>,
): Promise<SavedReply> {
  const row = await ofAccount(db, account_id)
    .updateTable('saved_replies')
    .set({ ...typeable(changes), updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
    .catch(rethrowDuplicate('name'))
  if (!row) throw new NotFound()
  return presentSavedReply(row)
}

export async function deleteSavedReply({ db }: Change, account_id: string, id: string): Promise<null> {
  const { numDeletedRows } = await ofAccount(db, account_id)
    .deleteFrom('saved_replies')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!numDeletedRows) throw new NotFound()
  return null
}
