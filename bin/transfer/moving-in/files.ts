import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Db } from '#server/platform/db/change.ts'
import { readContent } from '#server/platform/files/content.ts'
import { createPictureWorkers } from '#server/platform/files/convert-picture.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { readPictureSize } from '#server/platform/files/picture-size.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import { deriveId } from '#server/platform/secrets.ts'
import type { Workers } from '#server/platform/workers/workers.ts'
import { readWorkList } from './work-list.ts'

/** A file of the source. */
interface ListedFile {
  id: string
  /** Its path in the product's folder or bucket. */
  object: string
  url: string | null
}

interface Sources {
  /** A folder with the objects of the bucket; without it they are fetched from their addresses. */
  folder: string | undefined
  /** The file with the list of files. */
  list: string
  /** Anybody could put an address into the old database, so requests go through the guard. */
  outbound: Outbound
  say(line: string): void
}

/** A file without bytes yet. */
interface EmptyFile extends ListedFile {
  account_id: string
  key: string
  filename: string
}

const MAX_BYTES = 32_000_000
const FETCH_MS = 30_000

/**
 * Copies the bytes of all files that have none yet, so that a later run goes on where one was stopped. What is not to be
 * had is said.
 */
export async function copyFiles(db: Db, store: FileStore, { folder, list, outbound, say }: Sources): Promise<void> {
  const workers = createPictureWorkers()
  let copied = 0
  const missing: string[] = []
  try {
    for await (const batch of readWorkList<ListedFile>(list)) {
      for (const file of await selectEmpty(db, batch)) {
        const bytes = await (folder ? readFromFolder(folder, file.object) : fetchBytes(outbound, file.url))
        if (bytes) {
          await storeBytes(db, store, workers, file, bytes)
          copied++
        } else {
          missing.push(file.filename)
        }
      }
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

/** Those of a batch that have no bytes yet. */
async function selectEmpty(db: Db, batch: ListedFile[]): Promise<EmptyFile[]> {
  const listed = new Map(batch.map((file) => [file.id, file]))
  const rows = await db
    .selectFrom('files')
    .select(['id', 'account_id', 'key', 'filename'])
    .where('id', 'in', [...listed.keys()])
    .where('size', '=', 0)
    .execute()
  return rows.map((row) => ({ ...listed.get(row.id)!, ...row }))
}

async function storeBytes(
  db: Db,
  store: FileStore,
  workers: Workers,
  { account_id, id, key }: EmptyFile,
  bytes: Buffer,
): Promise<void> {
  const content = await readContent(workers, account_id, bytes)
  await store.put(key, content.bytes, content.content_type)
  const size = { size: content.bytes.length, content_type: content.content_type }
  await db
    .updateTable('files')
    .set({ ...size, ...readPictureSize(content.bytes, content.content_type) })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

async function readFromFolder(folder: string, key: string): Promise<Buffer | undefined> {
  // Keys come from the old database, so they must not lead out of the folder.
  return readFile(join(folder, basename(key))).catch(() => undefined)
}

async function fetchBytes(outbound: Outbound, url: string | null): Promise<Buffer | undefined> {
  if (!url) return undefined
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

/** Attaches bodies that were cut, whole, as text files. */
export async function attachLongBodies(db: Db, store: FileStore, list: string): Promise<void> {
  for await (const [row] of readWorkList<{ account_id: string; message_id: string; body: string }>(list, 1)) {
    const { account_id, message_id, body } = row!
    const id = deriveId(`whole text of ${message_id}`)
    const key = `${account_id}/${id}`
    const bytes = Buffer.from(body)
    const content = { filename: 'message.txt', content_type: 'text/plain', size: bytes.length }
    await store.put(key, bytes, content.content_type)
    await db
      .insertInto('files')
      .values({ account_id, id, key, ...content, attached_at: new Date().toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db
      .insertInto('message_files')
      .values({ account_id, message_id, file_id: id, position: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
