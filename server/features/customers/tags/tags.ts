import { sql } from 'kysely'
import type { Tag } from '#contract/conversations/conversations.ts'
import type { CountedTag, TagDraft } from '#contract/customers/tags.ts'
import { tagDeleted, tagUpdated } from '#contract/customers/tags.ts'
import { NotFound } from '../../../errors.ts'
import { type Change, type Db, rethrowDuplicate } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'
import { dropTagFromFilters } from '../customer-filters/filters.ts'

const columns = ['id', 'name', 'description', 'color', 'created_at', 'updated_at'] as const

function presentTag(row: Omit<Tag, 'object'>): Tag {
  return { ...row, object: 'tag' }
}

/** All tags of an account, by name. */
export async function listTags(db: Db, account_id: string): Promise<Tag[]> {
  const rows = await ofAccount(db, account_id).selectFrom('tags').select(columns).orderBy('name').execute()
  return rows.map(presentTag)
}

export async function getTag(db: Db, account_id: string, id: string): Promise<Tag> {
  const row = await ofAccount(db, account_id).selectFrom('tags').select(columns).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return presentTag(row)
}

export async function createTag(change: Change, account_id: string, draft: TagDraft): Promise<Tag> {
  const row = await change.db
    .insertInto('tags')
    .values({ id: newId(), account_id, ...draft })
    .returning(columns)
    .executeTakeFirstOrThrow()
    .catch(rethrowDuplicate('name'))
  return announce(change, account_id, presentTag(row))
}

export async function updateTag(
  change: Change,
  account_id: string,
  id: string,
  changes: Partial<TagDraft>,
): Promise<Tag> {
  const row = await ofAccount(change.db, account_id)
    .updateTable('tags')
    .set({ ...changes, updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
    .catch(rethrowDuplicate('name'))
  if (!row) throw new NotFound()
  return announce(change, account_id, presentTag(row))
}

function announce(change: Change, account_id: string, tag: Tag): Tag {
  change.announce(account_id, tagUpdated, { tag })
  return tag
}

/** Deletes a tag, and removes it from everything that has it and from filters. */
export async function deleteTag(change: Change, account_id: string, id: string): Promise<null> {
  const { numDeletedRows } = await ofAccount(change.db, account_id)
    .deleteFrom('tags')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!numDeletedRows) throw new NotFound()
  change.announce(account_id, tagDeleted, { tag_id: id })
  await dropTagFromFilters(change, account_id, id)
  return null
}

/** The tags of several conversations, by conversation. */
export async function loadTags(db: Db, account_id: string, conversation_ids: string[]): Promise<Map<string, Tag[]>> {
  const byConversation = new Map<string, Tag[]>()
  if (conversation_ids.length === 0) return byConversation
  const rows = await ofAccount(db, account_id)
    .selectFrom('conversation_tags')
    .innerJoin('tags', (join) =>
      join
        .onRef('tags.account_id', '=', 'conversation_tags.account_id')
        .onRef('tags.id', '=', 'conversation_tags.tag_id'),
    )
    .select(['tags.id', 'name', 'description', 'color', 'tags.created_at', 'tags.updated_at', 'conversation_id'])
    .where('conversation_id', 'in', conversation_ids)
    .orderBy('name')
    .execute()
  for (const { conversation_id, ...tag } of rows) {
    byConversation.set(conversation_id, [...(byConversation.get(conversation_id) ?? []), presentTag(tag)])
  }
  return byConversation
}

/** The tags of several customers, by customer. */
export async function loadCustomerTags(
  db: Db,
  account_id: string,
  customer_ids: string[],
): Promise<Map<string, Tag[]>> {
  const byCustomer = new Map<string, Tag[]>()
  if (customer_ids.length === 0) return byCustomer
  const rows = await ofAccount(db, account_id)
    .selectFrom('customer_tags')
    .innerJoin('tags', (join) =>
      join.onRef('tags.account_id', '=', 'customer_tags.account_id').onRef('tags.id', '=', 'customer_tags.tag_id'),
    )
    .select(['tags.id', 'name', 'description', 'color', 'tags.created_at', 'tags.updated_at', 'customer_id'])
    .where('customer_id', 'in', customer_ids)
    .orderBy('name')
    .execute()
  for (const { customer_id, ...tag } of rows) {
    byCustomer.set(customer_id, [...(byCustomer.get(customer_id) ?? []), presentTag(tag)])
  }
  return byCustomer
}

/** Numbers of customers and conversations by tag, without deleted and archived ones. */
export async function countTags(db: Db, account_id: string, tags: Tag[]): Promise<CountedTag[]> {
  const ids = tags.map(({ id }) => id)
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string; customers_count: number; conversations_count: number }>`
    select wanted.id, coalesce(people.count, 0) as customers_count, coalesce(talks.count, 0) as conversations_count
    from unnest(${ids}::uuid[]) wanted (id)
    left join (
      select tag_id, count(*)::int as count from customer_tags
      where account_id = ${account_id} and tag_id = any(${ids}::uuid[]) and last_seen_at is not null
      group by tag_id
    ) people on people.tag_id = wanted.id
    left join (
      select t.tag_id, count(*)::int as count from conversation_tags t
      join conversations c on c.account_id = t.account_id and c.id = t.conversation_id
      where t.account_id = ${account_id} and t.tag_id = any(${ids}::uuid[]) and c.archived_at is null
      group by t.tag_id
    ) talks on talks.tag_id = wanted.id`.execute(db)
  const counts = new Map(rows.map((row) => [row.id, row]))
  return tags.map((tag) => ({ ...tag, ...counts.get(tag.id) }))
}
