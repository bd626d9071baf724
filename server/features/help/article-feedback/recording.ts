import { sql } from 'kysely'
import { visibleText } from '#contract/text/visible.ts'
import { NotFound } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { countGap } from './gaps.ts'

const MAX_SEARCH_LENGTH = 100

interface Reading {
  reader: Buffer
  article_id: string
  language: string
}

interface Vote extends Reading {
  is_helpful: boolean
  comment: string | null
}

/** Records whether an article helped. A second vote of the same reader replaces the first. @throws NotFound */
export async function recordVote({ db }: Change, account_id: string, vote: Vote): Promise<void> {
  const { reader, article_id, language, is_helpful, comment } = vote
  const published = await ofAccount(db, account_id)
    .selectFrom('published_articles')
    .select('language')
    .where('article_id', '=', article_id)
    .where('language', '=', language)
    .executeTakeFirst()
  if (!published) throw new NotFound()
  const before = await ofAccount(db, account_id)
    .selectFrom('article_votes')
    .select('is_helpful')
    .where('article_id', '=', article_id)
    .where('reader', '=', reader)
    .forUpdate()
    .executeTakeFirst()
  await db
    .insertInto('article_votes')
    .values({ account_id, article_id, reader, language, is_helpful, comment })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'article_id', 'reader'])
        .doUpdateSet({ language, is_helpful, comment: sql`coalesce(excluded.comment, article_votes.comment)` }),
    )
    .execute()
  if (!is_helpful && before?.is_helpful !== false) {
    await countGap(db, account_id, { kind: 'not_helpful', language, article_id })
  }
}

/** Remembers for a day that a visitor read an article. */
export async function recordRead(db: Db, account_id: string, { reader, article_id, language }: Reading): Promise<void> {
  await sql`
    insert into article_reads (account_id, reader, article_id, language)
    select account_id, ${reader}, id, ${language} from articles where account_id = ${account_id} and id = ${article_id}
    on conflict (account_id, reader, article_id) do update set read_at = now(), language = excluded.language`.execute(
    db,
  )
}

/** Counts that a customer wrote within an hour of reading articles, once for each article. */
export async function countReadThenWrote({ db }: Change, account_id: string, reader: Buffer): Promise<void> {
  const read = await ofAccount(db, account_id)
    .deleteFrom('article_reads')
    .where('reader', '=', reader)
    .returning(['article_id', 'language', sql<boolean>`read_at > now() - interval '1 hour'`.as('is_recent')])
    .execute()
  for (const { article_id, language, is_recent } of read) {
    if (is_recent) await countGap(db, account_id, { kind: 'read_then_wrote', language, article_id })
  }
}

/** Counts a search without a hit: its words alone, and nothing that could be an address or a number of somebody. */
export async function countNoHits(db: Db, account_id: string, language: string, q: string): Promise<void> {
  const words = visibleText(q)
    .toLowerCase()
    .replace(/\S+@\S+/g, '…')
    .replace(/\S*\d[\d\s().+/-]{2,}\d\S*/g, '…')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_SEARCH_LENGTH)
  if (words.replace(/[…\s]/g, '').length < 2) return
  await countGap(db, account_id, { kind: 'no_hits', language, words })
}
