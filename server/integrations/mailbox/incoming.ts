import type { FetchMessageObject } from 'imapflow'
import type { Context } from '../../context.ts'
import { saveCursor } from '../../features/connections/authorizations/connect.ts'
import { storeBytes, storeInbound } from '../../features/connections/inbound/store-event.ts'
import type { LiveConnection } from '../../platform/outbound/live-connections.ts'
import { openImap } from './client.ts'
import type { MailboxCursor } from './cursor.ts'
import type { Mailbox } from './mailbox.ts'
import { type MailPosition, watch } from './reader.ts'

/** Imports new mails of an inbox's mailbox, then each mail as it arrives. */
export async function watchMailbox(context: Context, mailbox: Mailbox, signal: AbortSignal): Promise<LiveConnection> {
  const cursor = mailbox.cursor ?? undefined
  const client = await openImap(context, mailbox.credentials)
  return watch(
    client,
    { takes_forms: false, ...mailbox.settings, cursor, storeMail: (...args) => store(context, mailbox, ...args) },
    signal,
    context,
  )
}

/**
 * Stores the contents first, then the event together with the position: after a crash in between the mail is read
 * again.
 */
async function store(
  context: Context,
  { account_id, id, address }: Mailbox,
  mail: FetchMessageObject | undefined,
  { kind, folder, uidvalidity, uid }: MailPosition,
  cursor: MailboxCursor,
): Promise<boolean> {
  const file_key = mail?.source && (await storeBytes(context, account_id, mail.source))
  await context.change(async (tx) => {
    if (mail && file_key) {
      await storeInbound(context, tx, {
        account_id,
        integration: 'mailbox',
        authorization_id: id,
        key: `${id} ${folder} ${uidvalidity}:${uid}`,
        queue: `${id} ${threadOf(mail)}`,
        payload: { recipients: [address], sent: kind === 'sent' },
        file_key,
      })
    }
    await saveCursor(tx, account_id, id, cursor)
  })
  return !!file_key
}

/** Bytes of the headers in which the thread is looked for. */
const HEADERS_LIMIT = 50_000

/** The first mail of its thread, so that the mails of one thread stay in order. */
function threadOf({ headers, uid }: FetchMessageObject): string {
  const ids = headers?.toString('latin1', 0, HEADERS_LIMIT).match(/<[^<>\s]{1,250}>/g)
  return ids?.[0] ?? String(uid)
}
