import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

const FILE_ID = /\/files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//gi
const MAX_FILES = 500

/** The ids of files whose addresses are in a text, at most 500. */
export function fileIdsIn(body: string): string[] {
  return [...new Set(Array.from(body.matchAll(FILE_ID), ([, id]) => id!.toLowerCase()))].slice(0, MAX_FILES)
}

interface Which {
  id: string
  language: string
}

/** Keeps the files of a draft for as long as the article exists, because its revisions can come back. */
export async function keepDraftFiles(db: Db, account_id: string, key: Which, body: string): Promise<void> {
  await addFiles(db, account_id, key, fileIdsIn(body), false)
}

/** The files that readers may load from now on, instead of those before. */
export async function setPublicFiles(db: Db, account_id: string, key: Which, file_ids: string[]): Promise<void> {
  await ofAccount(db, account_id)
    .deleteFrom('article_files')
    .where('article_id', '=', key.id)
    .where('language', '=', key.language)
    .where('is_public', '=', true)
    .execute()
  await addFiles(db, account_id, key, file_ids, true)
}

async function addFiles(
  db: Db,
  account_id: string,
  { id, language }: Which,
  file_ids: string[],
  is_public: boolean,
): Promise<void> {
  if (file_ids.length === 0) return
  const files = await ofAccount(db, account_id).selectFrom('files').select('id').where('id', 'in', file_ids).execute()
  if (files.length === 0) return
  await db
    .insertInto('article_files')
    .values(files.map((file) => ({ account_id, article_id: id, language, file_id: file.id, is_public })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
