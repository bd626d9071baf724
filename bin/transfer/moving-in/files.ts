import { createHash } from 'node:crypto'
import type { Db } from '#server/platform/db/change.ts'
import { type Content, readContent } from '#server/platform/files/content.ts'
import { convertPicture, createPictureWorkers } from '#server/platform/files/convert-picture.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { readPictureSize } from '#server/platform/files/picture-size.ts'
import { deriveId } from '#server/platform/secrets.ts'
import type { Workers } from '#server/platform/workers/workers.ts'
import { WHOLE_BODY_NAME } from './long-bodies.ts'
import type { ReadObject, SourceFile } from './objects.ts'
import { countLines, readWorkList } from './work-list.ts'

interface ListedFile extends SourceFile {
  id: string
  /** Base64 of the MD5 of its bytes; null if it is not known. */
  checksum: string | null
  /** The address that a person's picture gets here. */
  picture_url?: string | null
}

interface Sources {
  /** The file with the list of files. */
  list: string
  read: ReadObject
  /** Called with the part that is done, from 0 to 1. */
  onProgress(fraction: number): void
}

/** What became of the attached files. */
export interface FilesCopied {
  copied: number
  /** Number of those without bytes, and of bytes that differ from their checksum. */
  missing: number
  damaged: number
  /** Names of the first ones that are missing or damaged. */
  names: string[]
  /** Names of those that are larger than files may be here. */
  too_large: string[]
  /** Pictures of people that were copied, and those that are missing or no pictures. */
  pictures: number
  lost_pictures: number
}

/** A file without bytes yet. */
interface EmptyFile extends ListedFile {
  listed: ListedFile
  account_id: string
  key: string
  filename: string
  user_id: number | null
  customer_id: string | null
}

/** The position of a whole body, behind the files that people attached. */
const LAST = 1_000
/** As many names as anybody reads. */
const NAMES = 1_000

/**
 * Copies the bytes of all files that have none yet, so that a later run goes on where one was stopped.
 */
export async function copyFiles(db: Db, store: FileStore, { list, read, onProgress }: Sources): Promise<FilesCopied> {
  const workers = createPictureWorkers()
  const result: FilesCopied = {
    copied: 0,
    missing: 0,
    damaged: 0,
    names: [],
    too_large: [],
    pictures: 0,
    lost_pictures: 0,
  }
  const total = await countLines(list)
  let done = 0
  try {
    for await (const batch of readWorkList<ListedFile>(list)) {
      for (const file of await selectEmpty(db, batch)) {
        const content = await read(file)
        const bytes = content === 'too large' ? undefined : content
        // Files without bytes count as not copied yet, so those that are empty come along each time.
        if (bytes?.length === 0 && (await isStored(store, file.key))) continue
        if (file.picture_url) {
          const isPicture = !!bytes && (await storePicture(db, store, workers, file, file.picture_url, bytes))
          result[isPicture ? 'pictures' : 'lost_pictures']++
        } else if (content === 'too large') {
          result.too_large.push(file.filename)
        } else {
          if (bytes) await storeBytes(db, store, workers, file, bytes)
          note(result, file, bytes)
        }
        onProgress((done + batch.indexOf(file.listed)) / total)
      }
      done += batch.length
      onProgress(done / total)
    }
  } finally {
    workers.stop()
  }
  return result
}

function note(result: FilesCopied, { filename, checksum }: EmptyFile, bytes: Buffer | undefined): void {
  const isDamaged = !!bytes && !!checksum && createHash('md5').update(bytes).digest('base64') !== checksum
  if (bytes) result.copied++
  else result.missing++
  if (isDamaged) result.damaged++
  if ((isDamaged || !bytes) && result.names.length < NAMES) result.names.push(filename)
}

async function isStored(store: FileStore, key: string): Promise<boolean> {
  const stored = await store.get(key)
  stored?.destroy()
  return !!stored
}

/** Those of a batch that have no bytes yet. */
async function selectEmpty(db: Db, batch: ListedFile[]): Promise<EmptyFile[]> {
  const listed = new Map(batch.map((file) => [file.id, file]))
  const rows = await db
    .selectFrom('files')
    .select(['id', 'account_id', 'key', 'filename', 'user_id', 'customer_id'])
    .where('id', 'in', [...listed.keys()])
    .where('size', '=', 0)
    .execute()
  return rows.map((row) => ({ ...listed.get(row.id)!, ...row, listed: listed.get(row.id)! }))
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
  await recordContent(db, account_id, id, content)
}

/** From now on the file counts as copied. */
async function recordContent(db: Db, account_id: string, id: string, { bytes, content_type }: Content): Promise<void> {
  await db
    .updateTable('files')
    .set({ size: bytes.length, content_type, ...readPictureSize(bytes, content_type) })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

/**
 * Stores the picture of a person, as small as it is shown, and gives it to them unless they have one by now.
 * @returns false if the bytes are no picture
 */
async function storePicture(
  db: Db,
  store: FileStore,
  workers: Workers,
  { account_id, id, key, user_id, customer_id }: EmptyFile,
  profile_photo_url: string,
  bytes: Buffer,
): Promise<boolean> {
  const picture = await convertPicture(workers, account_id, 'thumbnail', bytes)
  if (!picture) return false
  const content_type = 'image/webp'
  await store.put(key, picture, content_type)
  // First whose it is: a run that ends in between finds the file without a size, and does both again.
  if (user_id !== null) {
    await db
      .updateTable('users')
      .set({ profile_photo_url })
      .where('account_id', '=', account_id)
      .where('id', '=', user_id)
      .where('profile_photo_url', 'is', null)
      .execute()
  } else if (customer_id !== null) {
    await db
      .updateTable('customers')
      .set({ profile_photo_url })
      .where('account_id', '=', account_id)
      .where('id', '=', customer_id)
      .where('profile_photo_url', 'is', null)
      .where('deleted_at', 'is', null)
      .execute()
  }
  await recordContent(db, account_id, id, { bytes: picture, content_type })
  return true
}

/** Attaches bodies that were cut, whole, as text files. */
export async function attachLongBodies(db: Db, store: FileStore, list: string): Promise<void> {
  for await (const [row] of readWorkList<{ account_id: string; message_id: string; body: string }>(list, 1)) {
    const { account_id, message_id, body } = row!
    const id = deriveId(`whole text of ${message_id}`)
    const key = `${account_id}/${id}`
    const bytes = Buffer.from(body)
    const content = { filename: WHOLE_BODY_NAME, content_type: 'text/plain', size: bytes.length }
    await store.put(key, bytes, content.content_type)
    await db
      .insertInto('files')
      .values({ account_id, id, key, ...content, attached_at: new Date().toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db
      .insertInto('message_files')
      .values({ account_id, message_id, file_id: id, position: LAST })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
