import type { FetchMessageObject } from 'imapflow'
import type { Context } from '../../context.ts'
import { sentenceOf } from '../../features/connections/authorizations/health.ts'
import { HEADER_BYTES } from '../../features/mail/conversation-mails/mime/limits.ts'
import { loadCatchAll, storeCatchAll } from '../../features/mail/forwarding-addresses/catch-all.ts'
import { MailQuotaExceeded } from '../../features/mail/forwarding-addresses/incoming-quota.ts'
import { filterOwn, storeMail } from '../../features/mail/forwarding-addresses/routing.ts'
import type { LiveConnection, WantedConnection } from '../../platform/outbound/live-connections.ts'
import { WorkerKilled } from '../../platform/workers/worker-errors.ts'
import { defineTask } from '../../platform/workers/worker-task.ts'
import type { ImapEndpoint } from './client.ts'
import type { MailboxCursor } from './cursor.ts'
import type { DeliveryNotes } from './delivery-headers.ts'
import type { work } from './delivery-notes-work.ts'

const notesTask = defineTask<typeof work>('mails.readDeliveryNotes', {
  module: new URL('./delivery-notes-work.ts', import.meta.url),
  timeoutMs: 10_000,
})

/** The mailbox that receives all mail of the installation. */
interface CatchAll extends ImapEndpoint {
  folder: string
  /** Identifies the mailbox without its password: another one is read from its own start. */
  mailboxKey: string
}

/** A new mailbox is read from this many days back. Mails imported before are recognised. */
const LOOKED_BACK_DAYS = 7

/** The connection to the mailbox of `MAIL_IN_IMAP_URL`, if set. */
export async function catchAllConnections(context: Context): Promise<WantedConnection[]> {
  const { mailInImapUrl } = context.config
  if (!mailInImapUrl) return []
  const mailbox = readUrl(mailInImapUrl)
  return [
    {
      name: 'catch-all mailbox',
      revision: mailInImapUrl,
      open: (signal) => watchCatchAll(context, mailbox, signal),
      async onInterruption(error, isDown) {
        if (!isDown) return
        const problem = sentenceOf(error)
        context.log.warn({ problem }, 'The mailbox of MAIL_IN_IMAP_URL cannot be read')
        await context.change((tx) => storeCatchAll(tx, mailbox.mailboxKey, { problem }))
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
    // The operator chose it, so its address may be private.
    address: host,
    port: Number(port) || (secure ? 993 : 143),
    secure,
    auth: { user, pass: decodeURIComponent(password) },
    folder,
    mailboxKey: `${user} at ${host}, ${folder}`,
  }
}

async function watchCatchAll(context: Context, mailbox: CatchAll, signal: AbortSignal): Promise<LiveConnection> {
  const [{ signIn }, { startOf }, { watch }] = await Promise.all([
    import('./client.ts'),
    import('./cursor.ts'),
    import('./reader.ts'),
  ])
  const { folder, mailboxKey } = mailbox
  const storedCursor = await loadCatchAll<MailboxCursor>(context.db, mailboxKey)
  const client = await signIn(mailbox, context.timing)
  try {
    const cursor = storedCursor ?? (await startOf(client, { folder, sent_folder: null, since_days: LOOKED_BACK_DAYS }))
    await context.change((tx) => storeCatchAll(tx, mailboxKey, { cursor, problem: null }))
    const settings = { folder, sent_folder: null, watches_sent: false, marks_read: false, takes_forms: false }
    const storeMail = (mail: FetchMessageObject | undefined, _position: unknown, next: MailboxCursor) =>
      store(context, mailbox, mail?.source, next)
    return await watch(client, { ...settings, cursor, storeMail }, signal, context)
  } catch (error) {
    client.close()
    throw error
  }
}

/** Stores a mail once for each of our addresses, and then the position: after a crash in between it is read again. */
async function store(
  context: Context,
  { host, mailboxKey }: CatchAll,
  raw: Buffer | undefined,
  cursor: MailboxCursor,
): Promise<boolean> {
  const recipients = raw ? await storeIfOurs(context, raw, host).catch(ignoreOverQuota) : []
  await context.change((tx) => storeCatchAll(tx, mailboxKey, { cursor }))
  return recipients.length > 0
}

/** The mail stays in the mailbox: waiting for one company would keep the mail of all others waiting, too. */
function ignoreOverQuota(error: unknown): string[] {
  if (error instanceof MailQuotaExceeded) return []
  throw error
}

async function storeIfOurs(context: Context, raw: Buffer, host: string): Promise<string[]> {
  const head = raw.subarray(0, HEADER_BYTES)
  // Whose mail it is, is not known yet, so all of them share the turns of one account.
  const turn = { account_id: 'unknown', bytes: head.length }
  const notes = await notesTask.run(context.workers, turn, { head, mail_host: host }).catch((error: unknown) => {
    if (error instanceof WorkerKilled) return undefined
    throw error
  })
  const recipients = notes ? await recipientsOf(context, notes) : []
  if (notes && recipients.length > 0) {
    const { from, proof } = notes
    await storeMail(context, { raw, recipients, proof, ...(from !== undefined && { from }) })
  } else {
    context.log.info(
      'A mail in the mailbox of MAIL_IN_IMAP_URL is addressed to no address of this installation and stays there',
    )
  }
  return recipients
}

/** The addresses in the server's own headers; only if they are none of ours, those in the others. */
async function recipientsOf(context: Context, { delivered_to, named }: DeliveryNotes): Promise<string[]> {
  const certain = await filterOwn(context, delivered_to)
  return certain.length > 0 ? certain : filterOwn(context, named)
}
