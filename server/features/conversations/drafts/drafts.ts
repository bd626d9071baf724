import { sql } from 'kysely'
import { type DraftChange, EMPTIED_DRAFT_DAYS, type StoredDraft } from '#contract/conversations/drafts.ts'
import { NotFound } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { selectConversations } from '../conversations/conversations.ts'
import { loadFiles } from '../files/files.ts'

const columns = ['body', 'original_body', 'type', 'mentioned_user_ids', 'file_ids', 'revision'] as const

type DraftRow = Omit<StoredDraft, 'files'> & { file_ids: string[] }

/**
 * A user's draft in a conversation, or undefined. Emptied drafts are returned too, so that other devices remove theirs.
 */
export async function findDraft(
  db: Db,
  account_id: string,
  user_id: number,
  conversation_id: string,
): Promise<StoredDraft | undefined> {
  const row = await ofAccount(db, account_id)
    .selectFrom('drafts')
    .select(columns)
    .where('user_id', '=', user_id)
    .where('conversation_id', '=', conversation_id)
    .executeTakeFirst()
  return row && presentDraft(db, account_id, row as DraftRow)
}

/**
 * Stores a draft unless the stored one has a larger revision: of two devices the one that wrote last wins, not the one
 * whose text arrived last. Not announced: a save every few seconds would fill the event log with half sentences.
 * @returns the stored draft
 */
export async function saveDraft(
  { db }: Change,
  account_id: string,
  user_id: number,
  conversation_id: string,
  { body, original_body, type, mentioned_user_ids = [], file_ids = [], revision }: DraftChange,
): Promise<StoredDraft> {
  const conversation = await selectConversations(db, account_id).where('id', '=', conversation_id).executeTakeFirst()
  if (!conversation) throw new NotFound()
  const files = await loadFiles(db, account_id, file_ids)
  const values = {
    // Nothing is the translation of nothing.
    ...{ body, original_body: body && original_body ? original_body : null, type },
    ...{ mentioned_user_ids, file_ids: files.map(({ id }) => id), revision },
  }
  await db
    .insertInto('drafts')
    .values({ account_id, user_id, conversation_id, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'user_id', 'conversation_id'])
        .doUpdateSet({ ...values, updated_at: sql<string>`now()` })
        .where('drafts.revision', '<', revision),
    )
    .execute()
  const stored = await findDraft(db, account_id, user_id, conversation_id)
  if (!stored) throw new NotFound()
  return stored
}

/** Deletes drafts emptied long ago. Runs every hour. */
export async function pruneEmptiedDrafts(db: Db): Promise<void> {
  const before = new Date(Date.now() - EMPTIED_DRAFT_DAYS * 86_400_000).toISOString()
  await acrossAccounts(db, 'looks after all accounts at once')
    .deleteFrom('drafts')
    .where('body', '=', '')
    .where(sql<boolean>`file_ids = '{}'`)
    .where('updated_at', '<', before)
    .execute()
}

async function presentDraft(db: Db, account_id: string, { file_ids, ...row }: DraftRow): Promise<StoredDraft> {
  return { ...row, files: await loadFiles(db, account_id, file_ids) }
}
