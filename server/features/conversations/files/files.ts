import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { StoredFile } from '#contract/conversations/messages.ts'
import { visibleText } from '#contract/text/visible.ts'
import type { Context } from '../../../context.ts'
import { Invalid } from '../../../errors.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { type Content, readContent } from '../../../platform/files/content.ts'
import { readPictureSize } from '../../../platform/files/picture-size.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { newId } from '../../../platform/secrets.ts'
import { isServed } from '../../accounts/accounts/suspension.ts'

export const removeFile = defineJob('files.remove', {
  schema: z.object({ account_id: z.string(), key: z.string() }),
  run: ({ files }: Context, { key }) => files.remove(key),
})

export type FileRecord = z.output<typeof StoredFile>

interface FileRow {
  id: string
  filename: string
  content_type: string
  file_url: string
  width: number | null
  height: number | null
}

/**
 * A file's absolute address, because old clients use it directly as a link. Its id cannot be guessed.
 * The installation's address is the one chosen in the dashboard, else the one that the database connection carries, so
 * that every query can return it.
 */
const base_url = sql`coalesce((select base_url from installation), current_setting('parley.base_url'))`
const file_url = sql<string>`${base_url} || '/files/' || files.id || '/' || files.filename`
const columns = ['files.id', 'files.filename', 'files.content_type', 'files.width', 'files.height'] as const

function presentFile({ file_url, ...row }: FileRow): FileRecord {
  const { id, filename, content_type, width, height } = row
  return { id, object: 'file', content_type, filename, file_url: encodeURI(file_url), width, height }
}

interface Received {
  filename: string
  bytes: Buffer
}

/**
 * Stores a file: first the contents, then the row, so that a row never refers to nothing.
 * @throws WorkersBusy if too many pictures are waiting
 */
export async function storeFile(
  context: Pick<Context, 'files' | 'pictures' | 'change'>,
  account_id: string,
  caller: Caller,
  { filename, bytes }: Received,
): Promise<FileRecord> {
  const content = await readContent(context.pictures, account_id, bytes)
  return storeContent(context, account_id, caller, { filename, ...content })
}

interface StoredContent extends Content {
  filename: string
  /** The file that it was made from, and how. It is kept as long as that one. */
  made_from?: string
  made_as?: string
}

/** Stores a file whose contents were read already: their type is known, and pictures are without metadata. */
export async function storeContent(
  { files, change }: Pick<Context, 'files' | 'change'>,
  account_id: string,
  caller: Caller,
  { filename, made_from, made_as, ...content }: StoredContent,
): Promise<FileRecord> {
  const id = newId()
  const key = `${account_id}/${id}`
  await files.put(key, content.bytes, content.content_type)
  const row = await change(({ db }) =>
    db
      .insertInto('files')
      .values({
        account_id,
        id,
        key,
        filename: tidyName(filename),
        content_type: content.content_type,
        size: content.bytes.length,
        ...readPictureSize(content.bytes, content.content_type),
        user_id: caller.kind === 'user' ? caller.user_id : null,
        customer_id: caller.kind === 'visitor' ? caller.customer_id : null,
        made_from: made_from ?? null,
        made_as: made_as ?? null,
      })
      .returning(columns)
      .returning(file_url.as('file_url'))
      .executeTakeFirstOrThrow(),
  )
  return presentFile(row)
}

/** Nothing uses what was made from a file any more: it is deleted as other unused files are. */
export async function releaseMade({ db }: Change, account_id: string, made_from: string): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('files')
    .set({ made_from: null })
    .where('made_from', '=', made_from)
    .execute()
}

/** Files of the account by their ids, in the given order; unknown ids are skipped. */
export async function loadFiles(db: Db, account_id: string, ids: string[]): Promise<(FileRecord & { size: number })[]> {
  if (ids.length === 0) return []
  const rows = await ofAccount(db, account_id)
    .selectFrom('files')
    .select([...columns, 'files.size', file_url.as('file_url')])
    .where('id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, { ...presentFile(row), size: row.size }]))
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
}

/** Where the contents of files of the account are stored. */
export async function loadKeys(db: Db, account_id: string, ids: string[]) {
  if (ids.length === 0) return []
  return ofAccount(db, account_id)
    .selectFrom('files')
    .select(['id', 'filename', 'key'])
    .where('id', 'in', ids)
    .execute()
}

/** Files of articles with this name and size, the newest first, with the keys of their contents. */
export async function findUsedInArticles(
  db: Db,
  account_id: string,
  { filename, size }: { filename: string; size: number },
): Promise<(FileRecord & { key: string })[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('files')
    .select([...columns, 'files.key', file_url.as('file_url')])
    .where('filename', '=', tidyName(filename))
    .where('size', '=', size)
    .where(isInArticle)
    .orderBy('created_at', 'desc')
    .limit(10)
    .execute()
  return rows.map(({ key, ...row }) => ({ ...presentFile(row), key }))
}

/** The file of an address. Only the id counts; the name in the address is for people. */
export function findFile(db: Db, id: string) {
  return acrossAccounts(db, 'the address of a file is its secret')
    .selectFrom('files')
    .select(['key', 'filename', 'content_type', 'size'])
    .where('id', '=', id)
    .where(isServed('files.account_id'))
    .executeTakeFirst()
}

/**
 * Links files of the account to a message, in the given order. Ids cannot be guessed; those of other accounts are not
 * found.
 */
export async function attachFiles(
  { db }: Change,
  account_id: string,
  message_id: string,
  file_ids: string[],
): Promise<void> {
  const distinct = [...new Set(file_ids)]
  if (distinct.length === 0) return
  const existing = await ofAccount(db, account_id)
    .selectFrom('files')
    .select('id')
    .where('id', 'in', distinct)
    .execute()
  if (existing.length < distinct.length) throw new Invalid({ file_ids: ['does not exist'] })
  await db
    .insertInto('message_files')
    .values(distinct.map((file_id, position) => ({ account_id, message_id, file_id, position })))
    .execute()
  await ofAccount(db, account_id)
    .updateTable('files')
    .set({ attached_at: new Date().toISOString() })
    .where('id', 'in', distinct)
    .where('attached_at', 'is', null)
    .execute()
}

const UNUSED_HOURS = 24
const BATCH = 100

/**
 * Destroys files that were not used in a message within a day, and are neither in a draft, a scheduled message or an
 * article nor a picture, nor made from another file. Runs every hour.
 */
export async function destroyUnusedFiles(context: Pick<Context, 'jobs' | 'change'>): Promise<void> {
  const before = new Date(Date.now() - UNUSED_HOURS * 3_600_000).toISOString()
  while ((await context.change((change) => destroyUnusedBatch(context, change, before))) > 0);
}

/** Whether a file is somebody's picture, or the logo of the company, its help center or one of its widgets. */
const isPicture = sql`exists (
  select from users where users.account_id = files.account_id and profile_photo_url like '%/files/' || files.id || '/%'
  union all
  select from accounts where accounts.id = files.account_id and company_logo_url like '%/files/' || files.id || '/%'
  union all
  select from widget_settings w where w.account_id = files.account_id and w.logo like '%/files/' || files.id || '/%'
  union all
  select from help_centers h where h.account_id = files.account_id and h.logo_file_id = files.id)`

const isInArticle = sql<boolean>`exists (
  select from article_files a where a.account_id = files.account_id and a.file_id = files.id)`

async function destroyUnusedBatch(context: Pick<Context, 'jobs'>, change: Change, before: string): Promise<number> {
  const unused = await acrossAccounts(change.db, 'looks after all accounts at once')
    .selectFrom('files')
    .select(['account_id', 'id'])
    .where('attached_at', 'is', null)
    .where('made_from', 'is', null)
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('drafts')
            .select('drafts.user_id')
            .whereRef('drafts.account_id', '=', 'files.account_id')
            .where(sql<boolean>`files.id = any (drafts.file_ids)`),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('scheduled_messages')
            .select('scheduled_messages.id')
            .whereRef('scheduled_messages.account_id', '=', 'files.account_id')
            .where(sql<boolean>`files.id = any (scheduled_messages.file_ids)`),
        ),
      ),
    )
    .where(sql<boolean>`not ${isPicture} and not ${isInArticle}`)
    .orderBy('created_at')
    .limit(BATCH)
    .forUpdate()
    .skipLocked()
    .execute()
  const byAccount = Map.groupBy(unused, ({ account_id }) => account_id)
  let destroyed = 0
  for (const [account_id, files] of byAccount) {
    destroyed += await destroyFiles(
      context,
      change,
      account_id,
      files.map(({ id }) => id),
    )
  }
  return destroyed
}

/** The files of several messages, by message. */
export async function loadAttachments(db: Db, account_id: string, message_ids: string[]) {
  if (message_ids.length === 0) return new Map<string, FileRecord[]>()
  const rows = await ofAccount(db, account_id)
    .selectFrom('message_files')
    .innerJoin('files', (join) =>
      join.onRef('files.account_id', '=', 'message_files.account_id').onRef('files.id', '=', 'message_files.file_id'),
    )
    .select(columns)
    .select(['message_id', file_url.as('file_url')])
    .where('message_id', 'in', message_ids)
    .orderBy('position')
    .execute()
  const byMessage = new Map<string, FileRecord[]>()
  for (const row of rows) byMessage.set(row.message_id, [...(byMessage.get(row.message_id) ?? []), presentFile(row)])
  return byMessage
}

/** Destroys files of deleted messages. A job deletes their contents, and exists only if the rows are gone. */
export async function destroyFiles(
  { jobs }: Pick<Context, 'jobs'>,
  { db }: Pick<Change, 'db'>,
  account_id: string,
  ids: string[],
): Promise<number> {
  if (ids.length === 0) return 0
  const deleted = await ofAccount(db, account_id)
    .deleteFrom('files')
    .where('id', 'in', ids)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('message_files')
            .select('file_id')
            .whereRef('message_files.account_id', '=', 'files.account_id')
            .whereRef('message_files.file_id', '=', 'files.id'),
        ),
      ),
    )
    .returning('key')
    .execute()
  for (const { key } of deleted) await jobs.enqueue(db, removeFile, { account_id, key })
  return deleted.length
}

/**
 * Keeps the files of a deleted message for another one, as after an upload: for a day, or as long as a draft contains
 * them.
 */
export async function retainUnattached({ db }: Change, account_id: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await ofAccount(db, account_id)
    .updateTable('files')
    .set({ attached_at: null, created_at: new Date().toISOString() })
    .where('id', 'in', ids)
    .execute()
}

/** A name that is safe in an address, a header and on any disk. */
function tidyName(filename: string): string {
  const name = visibleText(filename)
    .normalize('NFC')
    .replace(/^.*[\\/]/s, '')
    .replace(/[\p{Cc}"<>|:*?#%]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
  return name.slice(-150) || 'file'
}

/** Destroys files uploaded by these customers, and returns their number. */
export async function destroyFilesOf(
  context: Pick<Context, 'jobs'>,
  change: Pick<Change, 'db'>,
  account_id: string,
  customer_ids: string[],
): Promise<number> {
  const rows = await ofAccount(change.db, account_id)
    .selectFrom('files')
    .select('id')
    .where('customer_id', 'in', customer_ids)
    .execute()
  const ids = rows.map(({ id }) => id)
  return destroyFiles(context, change, account_id, ids)
}

/** Releases the pictures of deleted customers: what no message has is destroyed within a day or so. */
export async function releaseFilesOf({ db }: Pick<Change, 'db'>, account_id: string, customer_ids: string[]) {
  await ofAccount(db, account_id)
    .updateTable('files')
    .set({ attached_at: null })
    .where('customer_id', 'in', customer_ids)
    .where('attached_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('message_files')
            .select('file_id')
            .whereRef('message_files.account_id', '=', 'files.account_id')
            .whereRef('message_files.file_id', '=', 'files.id'),
        ),
      ),
    )
    .execute()
}
