import type { Context } from '../../context.ts'
import { sentenceOf } from '../../features/connections/authorizations/health.ts'
import { recordNotice } from '../../features/connections/authorizations/notice.ts'
import { openImap } from './client.ts'
import type { Mailbox } from './mailbox.ts'

/**
 * Stores a copy of a sent mail in the mailbox's folder for them, as mail programs do; Gmail does so by itself. If that
 * fails, the mail is sent all the same, and the connection shows why it has no copy. Never throws.
 */
export async function storeSentCopy(context: Context, mailbox: Mailbox, raw: Buffer): Promise<void> {
  const { sent_folder } = mailbox.settings
  if (!sent_folder || /\.gmail\.com$/.test(mailbox.credentials.smtp_host)) return
  try {
    await append(context, mailbox, sent_folder, raw)
    await context.change((tx) => recordNotice(tx, mailbox, null))
  } catch (error) {
    context.log.info({ err: error, authorization_id: mailbox.id }, 'A sent mail could not be stored in the mailbox')
    await context.change((tx) => recordNotice(tx, mailbox, describe(error, sent_folder))).catch(() => undefined)
  }
}

async function append(context: Context, mailbox: Mailbox, folder: string, raw: Buffer): Promise<void> {
  const client = await openImap(context, mailbox.credentials)
  try {
    await client.append(folder, raw, ['\\Seen'])
  } finally {
    client.close()
  }
}

/** Why there is no copy, as a sentence that says what to do. */
function describe(error: unknown, folder: string): string {
  const { serverResponseCode, responseText } = error as { serverResponseCode?: string; responseText?: string }
  const start = `Replies are sent, but no copy of them reaches the folder ${folder}:`
  if (serverResponseCode === 'OVERQUOTA' || /quota/i.test(responseText ?? '')) {
    return `${start} the mailbox is full. Delete mails in it, or ask its provider for more space.`
  }
  if (serverResponseCode === 'TRYCREATE' || serverResponseCode === 'NONEXISTENT') {
    return `${start} there is no such folder any more. Create it in the mailbox, or connect the mailbox again.`
  }
  return `${start} ${responseText ? `the mail server says “${responseText.slice(0, 200)}”.` : sentenceOf(error)}`
}
