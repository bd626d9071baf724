import type { Context } from '../../../context.ts'
import { storeFile } from '../../conversations/files/files.ts'
import type { MailFile } from './parse.ts'
import type { MailReading } from './read-mail.ts'

const FILES_LIMIT = 50

/**
 * Stores a mail's attachments, and embeds pictures that its HTML refers to. Like all files, those that no message uses
 * are deleted within a day.
 */
export async function storeAttachments(
  context: Context,
  account_id: string,
  reading: MailReading,
): Promise<{ id: string }[]> {
  const files = reading.mail.files.filter(({ bytes }) => bytes.length > 0).slice(0, FILES_LIMIT)
  const attachments: { id: string }[] = []
  for (const file of files) {
    const { filename, bytes } = file
    const stored = await storeFile(context, account_id, { kind: 'anonymous', address: '' }, { filename, bytes })
    attachments.push(stored)
    placePicture(reading, file, stored.file_url)
  }
  return attachments
}

function placePicture({ mail, content }: MailReading, { content_id }: MailFile, file_url: string): void {
  if (!content_id) return
  const insertUrl = (html: string) =>
    html.replaceAll(`cid:${content_id}`, file_url).replaceAll(`cid:${encodeURIComponent(content_id)}`, file_url)
  if (mail.html) mail.html = insertUrl(mail.html)
  if (content.html) content.html = insertUrl(content.html)
}
