import { sql } from 'kysely'
import type { z } from 'zod/mini'
import type { StoredFile } from '#contract/messages.ts'
import { Invalid } from '../../errors.ts'
import type { Parley } from '../../parley.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Change, Db, MakeChange } from '../../platform/db/change.ts'
import { readContent } from '../../platform/files/content.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { newId } from '../../platform/secrets.ts'

export type FileRecord = z.output<typeof StoredFile>

interface Row {
  id: string
  filename: string
  content_type: string
  file_url: string
}

/**
 * Where a file is fetched, as a whole address, because old clients put it straight into a link. The id cannot be guessed.
 * The installation's address travels with the database connection, so that every query can answer with it.
 */
const file_url = sql<string>`current_setting('parley.base_url') || '/files/' || files.id || '/' || files.filename`
const columns = ['files.id', 'files.filename', 'files.content_type'] as const

function present({ id, filename, content_type, file_url }: Row): FileRecord {
  return { id, object: 'file', content_type, filename, file_url: encodeURI(file_url) }
}

interface Received {
  filename: string
  bytes: Buffer
}

/** Keeps a file: bytes first, then the row, so that a row never points at nothing. */
export async function keepFile(
  { files, change }: { files: FileStore; change: MakeChange },
  account_id: string,
  caller: Caller,
  { filename, bytes }: Received,
): Promise<FileRecord> {
  const id = newId()
  const key = `${account_id}/${id}`
  const content = await readContent(bytes)
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
        user_id: caller.kind === 'user' ? caller.user_id : null,
        customer_id: caller.kind === 'visitor' ? caller.customer_id : null,
      })
      .returning(columns)
      .returning(file_url.as('file_url'))
      .executeTakeFirstOrThrow(),
  )
  return present(row)
}

/** Files of the account by their ids, in the order given; ids that are unknown are passed over. */
export async function loadFiles(db: Db, account_id: string, ids: string[]): Promise<(FileRecord & { size: number })[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('files')
    .select([...columns, 'files.size', file_url.as('file_url')])
    .where('account_id', '=', account_id)
    .where('id', 'in', ids)
    .execute()
  const found = new Map(rows.map((row) => [row.id, { ...present(row), size: row.size }]))
  return [...new Set(ids)].flatMap((id) => found.get(id) ?? [])
}

/** The file behind an address. Only the id counts; the name in it is for people. */
export function findFile(db: Db, id: string) {
  return db
    .selectFrom('files')
    .select(['key', 'filename', 'content_type', 'size'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * Links files of the account to a message, in the given order. Ids cannot be guessed; those of other accounts do not
 * exist here.
 */
export async function attachFiles(
  { db }: Change,
  account_id: string,
  message_id: string,
  file_ids: string[],
): Promise<void> {
  const wanted = [...new Set(file_ids)]
  if (wanted.length === 0) return
  const known = await db
    .selectFrom('files')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', 'in', wanted)
    .execute()
  if (known.length < wanted.length) throw new Invalid({ file_ids: ['does not exist'] })
  await db
    .insertInto('message_files')
    .values(wanted.map((file_id, position) => ({ account_id, message_id, file_id, position })))
    .execute()
}

/** The files of several messages, by message. */
export async function loadAttachments(db: Db, account_id: string, message_ids: string[]) {
  if (message_ids.length === 0) return new Map<string, FileRecord[]>()
  const rows = await db
    .selectFrom('message_files')
    .innerJoin('files', (join) =>
      join.onRef('files.account_id', '=', 'message_files.account_id').onRef('files.id', '=', 'message_files.file_id'),
    )
    .select(columns)
    .select(['message_id', file_url.as('file_url')])
    .where('message_files.account_id', '=', account_id)
    .where('message_id', 'in', message_ids)
    .orderBy('position')
    .execute()
  const byMessage = new Map<string, FileRecord[]>()
  for (const row of rows) byMessage.set(row.message_id, [...(byMessage.get(row.message_id) ?? []), present(row)])
  return byMessage
}

/** Destroys files that no message shows any more. Their bytes go by a job, which exists when the rows are gone. */
export async function destroyFiles(
  { jobs }: Pick<Parley, 'jobs'>,
  { db }: Pick<Change, 'db'>,
  account_id: string,
  ids: string[],
): Promise<number> {
  if (ids.length === 0) return 0
  const gone = await db
    .deleteFrom('files')
    .where('account_id', '=', account_id)
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
  for (const { key } of gone) await jobs.enqueue(db, 'files.remove', { account_id, key })
  return gone.length
}

/** A name that is safe in an address, a header and on any disk. */
function tidyName(filename: string): string {
  const name = filename
    .normalize('NFC')
    .replace(/^.*[\\/]/s, '')
    .replace(/[\p{Cc}"<>|:*?#%]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
  return name.slice(-150) || 'file'
}
