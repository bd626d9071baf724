import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Db } from '#server/platform/db/change.ts'
import { readContent } from '#server/platform/files/content.ts'
import { createPictureWorkers } from '#server/platform/files/convert-picture.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { readPictureSize } from '#server/platform/files/picture-size.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import { deriveId } from '#server/platform/secrets.ts'

/** A file of the source. */
interface ListedFile {
  id: string
  /** Its name in the old bucket. */
  key: string
  url: string
}

interface Sources {
  /** A folder with the objects of the bucket; without it they are fetched from their addresses. */
  folder: string | undefined
  listed: ListedFile[]
  /** Anybody could put an address into the old database, so requests go through the guard. */
  outbound: Outbound
  say(line: string): void
}

const MAX_BYTES = 32_000_000
const FETCH_MS = 30_000

/**
 * Copies the bytes of all files that have none yet, so that a later run goes on where one was stopped. What is not to be
 * had is said.
 */
export async function copyFiles(db: Db, store: FileStore, { folder, listed, outbound, say }: Sources): Promise<void> {
  const workers = createPictureWorkers()
  let copied = 0
  const missing: string[] = []
  try {
    for (const file of listed) {
      const row = await db
        .selectFrom('files')
        .select(['account_id', 'key', 'filename'])
        .where('id', '=', file.id)
        .where('size', '=', 0)
        .executeTakeFirst()
      if (!row) continue
      const bytes = await (folder ? readFromFolder(folder, file.key) : fetchBytes(outbound, file.url))
      if (!bytes) {
        missing.push(row.filename)
        continue
      }
      const content = await readContent(workers, row.account_id, bytes)
      await store.put(row.key, content.bytes, content.content_type)
      await db
        .updateTable('files')
        .set({
          size: content.bytes.length,
          content_type: content.content_type,
          ...readPictureSize(content.bytes, content.content_type),
        })
        .where('account_id', '=', row.account_id)
        .where('id', '=', file.id)
        .execute()
      copied++
    }
  } finally {
    workers.stop()
  }
  if (copied > 0) say(`Copied ${copied.toLocaleString('en')} attached files.`)
  if (missing.length > 0) {
    say(
      `The bytes of ${missing.length} attached files are not to be had. Run the import again with --files once you have them:`,
    )
    for (const name of missing.slice(0, 20)) say(`  ${name}`)
  }
}

async function readFromFolder(folder: string, key: string): Promise<Buffer | undefined> {
  // Keys come from the old database, so they must not lead out of the folder.
  return readFile(join(folder, basename(key))).catch(() => undefined)
}

async function fetchBytes(outbound: Outbound, url: string): Promise<Buffer | undefined> {
  const limits = { timeout_ms: FETCH_MS, max_bytes: MAX_BYTES }
  // Papercups stored addresses as they are, without encoding the names in them.
  const response = await outbound.request(encodeURI(decodeSafely(url)), limits).catch(() => undefined)
  return response?.ok ? response.bytes : undefined
}

function decodeSafely(url: string): string {
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}

/** Attaches texts that were cut as whole text files. */
export async function attachLongTexts(
  db: Db,
  store: FileStore,
  texts: { account_id: string; message_id: string; body: string }[],
): Promise<void> {
  for (const { account_id, message_id, body } of texts) {
    const id = deriveId(`whole text of ${message_id}`)
    const key = `${account_id}/${id}`
    const bytes = Buffer.from(body)
    const now = new Date().toISOString()
    await store.put(key, bytes, 'text/plain')
    await db
      .insertInto('files')
      .values({
        account_id,
        id,
        key,
        filename: 'message.txt',
        content_type: 'text/plain',
        size: bytes.length,
        attached_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db
      .insertInto('message_files')
      .values({ account_id, message_id, file_id: id, position: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
