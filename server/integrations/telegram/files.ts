import type { Context } from '../../context.ts'
import { storeFile } from '../../features/conversations/files/files.ts'
import { downloadFile, MAX_DOWNLOAD } from './client.ts'
import type { Telegram } from './connection.ts'
import type { Content, FileThere } from './content.ts'

/** Files that no message uses are destroyed within a day. */
const NOBODY = { kind: 'anonymous', address: '' } as const

/**
 * Stores the files of messages. Of those that are too large, a line says so.
 * @throws RetryLater if Telegram does not deliver one at the moment
 */
export async function storeFiles(
  context: Context,
  { account_id, credentials }: Telegram,
  contents: Content[],
): Promise<{ file_ids: string[]; lines: string[] }> {
  const stored = { file_ids: [] as string[], lines: [] as string[] }
  const store = async (filename: string, bytes: Buffer) => {
    const { id } = await storeFile(context, account_id, NOBODY, { filename, bytes })
    stored.file_ids.push(id)
  }
  for (const { files, vcard } of contents) {
    for (const file of files) {
      const isTooLarge = (file.size ?? 0) > MAX_DOWNLOAD
      const bytes = isTooLarge ? undefined : await downloadFile(context, credentials.token, file.file_id)
      if (bytes?.length) await store(file.filename, bytes)
      else stored.lines.push(describeMissing(file))
    }
    if (vcard) await store(vcard.filename, vcard.bytes)
  }
  return stored
}

function describeMissing({ filename, size }: FileThere): string {
  const name = filename.replaceAll(/[*_~`[\]\n]/g, ' ')
  if (size && size > MAX_DOWNLOAD)
    return `(${name}, ${Math.round(size / 1_000_000)} MB, was not received: Telegram gives bots files up to 20 MB. Ask for it in another way.)`
  return `(${name} was not received: Telegram did not give it out.)`
}
