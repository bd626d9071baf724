import type { ImapFlow } from 'imapflow'
import { RetryLater } from '../../integration.ts'

/** How far a folder was read. */
export interface FolderCursor {
  /** When it changes, UIDs are renumbered. */
  uidvalidity: string
  /** UID of the last imported mail. */
  uid: number
}

/** How far both folders were read. */
export interface MailboxCursor {
  inbox: FolderCursor
  sent: FolderCursor | null
}

/** After a renumbering, mails of this many days are read again. Known ones are recognised. */
const LOOKED_BACK_DAYS = 7
const DAY_MS = 86_400_000

/** Where reading starts: with the next mail, or some days back. */
export async function startOf(
  client: ImapFlow,
  { folder, sent_folder, since_days }: { folder: string; sent_folder: string | null; since_days: number },
): Promise<MailboxCursor> {
  const sent = sent_folder ? await startOfFolder(client, sent_folder, 0).catch(() => null) : null
  return { inbox: await startOfFolder(client, folder, since_days), sent }
}

async function startOfFolder(client: ImapFlow, folder: string, since_days: number): Promise<FolderCursor> {
  const { uidValidity, uidNext } = await client.mailboxOpen(folder, { readOnly: true }).catch(() => {
    throw new RetryLater(`The mailbox has no folder named ${folder}.`)
  })
  const first = since_days > 0 ? await firstSince(client, since_days) : undefined
  return { uidvalidity: String(uidValidity), uid: (first ?? uidNext) - 1 }
}

/** Where to continue in the open folder: after the last mail read or, after a renumbering, some days back. */
export async function resumeFrom(client: ImapFlow, cursor: FolderCursor): Promise<FolderCursor> {
  const { uidValidity, uidNext } = client.mailbox || { uidValidity: 0n, uidNext: 1 }
  if (String(uidValidity) === cursor.uidvalidity) return cursor
  const first = await firstSince(client, LOOKED_BACK_DAYS)
  return { uidvalidity: String(uidValidity), uid: (first ?? uidNext) - 1 }
}

async function firstSince(client: ImapFlow, days: number): Promise<number | undefined> {
  const uids = await client.search({ since: new Date(Date.now() - days * DAY_MS) }, { uid: true })
  return Array.isArray(uids) && uids.length > 0 ? Math.min(...uids) : undefined
}
