import type { FetchMessageObject } from 'imapflow'
import type { Context } from '../../context.ts'
import { sentenceOf } from '../../features/authorizations/health.ts'
import { MailUnreadable } from '../../features/conversation-mails/parse.ts'
import { loadCatchAll, noteCatchAll } from '../../features/forwarding-addresses/catch-all.ts'
import { keepOwn, storeMail } from '../../features/forwarding-addresses/routing.ts'
import type { LiveConnection, WantedConnection } from '../../platform/outbound/live-connections.ts'
import type { ImapEndpoint } from './client.ts'
import type { MailboxCursor } from './cursor.ts'
import { type DeliveryNotes, readDeliveryNotes } from './delivery-headers.ts'

/** Where the mailbox is that takes all mail of the installation. */
interface CatchAll extends ImapEndpoint {
  folder: string
  /** Which mailbox it is, without its password: another one is read from its own beginning. */
  place: string
}

/** A new mailbox is read from so many days back. Mails that were taken in before drop out. */
const LOOKED_BACK_DAYS = 7

/** The one connection to the mailbox of `MAIL_IN_IMAP_URL`, where that is set. */
export async function catchAllConnections(context: Context): Promise<WantedConnection[]> {
  const { mailInImapUrl } = context.config
  if (!mailInImapUrl) return []
  const mailbox = readUrl(mailInImapUrl)
  return [
    {
      name: 'catch-all mailbox',
      revision: mailInImapUrl,
      open: (signal) => watchCatchAll(context, mailbox, signal),
      async onTrouble(error) {
        const problem = sentenceOf(error)
        context.log.warn({ problem }, 'The mailbox of MAIL_IN_IMAP_URL is not read')
        await context.change((open) => noteCatchAll(open, mailbox.place, { problem }))
      },
    },
  ]
}

function readUrl(text: string): CatchAll {
  const { hostname, protocol, port, username, password, pathname } = new URL(text)
  const host = hostname.replace(/^\[|\]$/g, '')
  const user = decodeURIComponent(username)
  const folder = decodeURIComponent(pathname.slice(1)) || 'INBOX'
  const secure = protocol === 'imaps:'
  return {
    host,
    // The operator chose it, so it may be a private one.
    address: host,
    port: Number(port) || (secure ? 993 : 143),
    secure,
    auth: { user, pass: decodeURIComponent(password) },
    folder,
    place: `${user} at ${host}, ${folder}`,
  }
}

async function watchCatchAll(context: Context, mailbox: CatchAll, signal: AbortSignal): Promise<LiveConnection> {
  const [{ signIn }, { startOf }, { watch }] = await Promise.all([
    import('./client.ts'),
    import('./cursor.ts'),
    import('./reader.ts'),
  ])
  const { folder, place } = mailbox
  const known = await loadCatchAll(context.db, place)
  const client = await signIn(mailbox)
  try {
    const cursor =
      (known as unknown as MailboxCursor | undefined) ??
      (await startOf(client, { folder, sent_folder: null, since_days: LOOKED_BACK_DAYS }))
    await context.change((open) => noteCatchAll(open, place, { cursor, problem: null }))
    const settings = { folder, sent_folder: null, watches_sent: false, marks_read: false }
    const take = (mail: FetchMessageObject | undefined, _place: unknown, next: MailboxCursor) =>
      store(context, mailbox, mail?.source, next)
    return await watch(client, { ...settings, cursor, take }, signal, context.log)
  } catch (error) {
    client.close()
    throw error
  }
}

/** Once for each address of ours that it came to, and then that it was read: what died in between is taken again. */
async function store(
  context: Context,
  { host, place }: CatchAll,
  raw: Buffer | undefined,
  cursor: MailboxCursor,
): Promise<boolean> {
  const recipients = raw ? await takeIn(context, raw, host) : []
  await context.change((open) => noteCatchAll(open, place, { cursor }))
  return recipients.length > 0
}

async function takeIn(context: Context, raw: Buffer, host: string): Promise<string[]> {
  const notes = await readDeliveryNotes(raw, host).catch((error: unknown) => {
    if (error instanceof MailUnreadable) return undefined
    throw error
  })
  const recipients = notes ? await recipientsOf(context, notes) : []
  if (notes && recipients.length > 0) {
    const { from, proof } = notes
    await storeMail(context, { raw, recipients, proof, ...(from !== undefined && { from }) })
  } else {
    context.log.info('A mail in the mailbox of MAIL_IN_IMAP_URL names no address of this installation and stays there')
  }
  return recipients
}

/** What the mailbox's own server says counts, and only where that names none of ours, what others wrote. */
async function recipientsOf(context: Context, { delivered_to, named }: DeliveryNotes): Promise<string[]> {
  const certain = await keepOwn(context, delivered_to)
  return certain.length > 0 ? certain : keepOwn(context, named)
}
