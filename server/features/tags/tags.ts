import type { Tag } from '#contract/conversations.ts'
import type { TagDraft } from '#contract/tags.ts'
import { NotFound } from '../../errors.ts'
import { type Change, type Db, refuseTaken } from '../../platform/db/change.ts'
import { newId } from '../../platform/secrets.ts'

const columns = ['id', 'name', 'description', 'color', 'created_at', 'updated_at'] as const

function present(row: Omit<Tag, 'object'>): Tag {
  return { ...row, object: 'tag' }
}

/** All of an account, by name. */
export async function listTags(db: Db, account_id: string): Promise<Tag[]> {
  const rows = await db
    .selectFrom('tags')
    .select(columns)
    .where('account_id', '=', account_id)
    .orderBy('name')
    .execute()
  return rows.map(present)
}

export async function getTag(db: Db, account_id: string, id: string): Promise<Tag> {
  const row = await db
    .selectFrom('tags')
    .select(columns)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new NotFound()
  return present(row)
}

export async function createTag({ db }: Change, account_id: string, draft: TagDraft): Promise<Tag> {
  return present(
    await db
      .insertInto('tags')
      .values({ id: newId(), account_id, ...draft })
      .returning(columns)
      .executeTakeFirstOrThrow()
      .catch(refuseTaken('name')),
  )
}

export async function updateTag(
  { db }: Change,
  account_id: string,
  id: string,
  changes: Partial<TagDraft>,
): Promise<Tag> {
  const row = await db
    .updateTable('tags')
    .set({ ...changes, updated_at: new Date().toISOString() })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
    .catch(refuseTaken('name'))
  if (!row) throw new NotFound()
  return present(row)
}

/** Removes a tag, also from everything that has it. */
export async function deleteTag({ db }: Change, account_id: string, id: string): Promise<null> {
  const { numDeletedRows } = await db
    .deleteFrom('tags')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!numDeletedRows) throw new NotFound()
  return null
}

/** The tags on several conversations, by conversation. */
export async function loadTags(db: Db, account_id: string, conversation_ids: string[]): Promise<Map<string, Tag[]>> {
  const byConversation = new Map<string, Tag[]>()
  if (conversation_ids.length === 0) return byConversation
  const rows = await db
    .selectFrom('conversation_tags')
    .innerJoin('tags', (join) =>
      join
        .onRef('tags.account_id', '=', 'conversation_tags.account_id')
        .onRef('tags.id', '=', 'conversation_tags.tag_id'),
    )
    .select(['tags.id', 'name', 'description', 'color', 'tags.created_at', 'tags.updated_at', 'conversation_id'])
    .where('conversation_tags.account_id', '=', account_id)
    .where('conversation_id', 'in', conversation_ids)
    .orderBy('name')
    .execute()
  for (const { conversation_id, ...tag } of rows) {
    byConversation.set(conversation_id, [...(byConversation.get(conversation_id) ?? []), present(tag)])
  }
  return byConversation
}
