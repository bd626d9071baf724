import type { MailboxAuthorization, MailboxDraft } from '#contract/integrations/mailbox.ts'
import type { Context } from '../../context.ts'
import { Invalid, Refusal } from '../../errors.ts'
import { findConnected } from '../../features/connections/authorizations/authorizations.ts'
import { assertSwitchedOn, connectAuthorization } from '../../features/connections/authorizations/connect.ts'
import { maskSecret, retainMasked } from '../../features/connections/authorizations/secrets.ts'
import { asRefusal } from '../../features/connections/authorizations/vendor-call.ts'
import { adoptWaiting } from '../../features/connections/deliveries/disconnected.ts'
import { wakeSender } from '../../features/connections/deliveries/sender.ts'
import { getInbox } from '../../features/widget/inboxes/inboxes.ts'
import type { ConnectedAuthorization } from '../../integration.ts'
import type { User } from '../../platform/caller.ts'
import { askSizeLimit } from '../../platform/mail/size-limit.ts'
import { explain, type MailboxCredentials, openImap, openSmtp, sentFolderOf, smtpOptions } from './client.ts'
import { type MailboxCursor, startOf } from './cursor.ts'

/** Settings of a mailbox. */
export interface MailboxSettings {
  folder: string
  sent_folder: string | null
  marks_read: boolean
  watches_sent: boolean
  /** The size up to which its SMTP server accepted mails when it was connected; null if it named none. */
  size_limit?: number | null
  /** Missing in mailboxes that an earlier version connected. */
  takes_forms?: boolean
}

export type Mailbox = ConnectedAuthorization<MailboxCredentials, MailboxSettings, MailboxCursor>

/** The mailbox of an inbox, if one is connected. */
export function findMailbox(context: Context, account_id: string, inbox_id: string): Promise<Mailbox | undefined> {
  return findConnected<Mailbox>(context, account_id, { integration: 'mailbox', inbox_id })
}

/** A mailbox as shown to admins. */
export function presentMailbox({
  id,
  inbox_id,
  address,
  created_at,
  credentials,
  settings,
}: Mailbox): MailboxAuthorization {
  const { folder, sent_folder, marks_read, watches_sent, takes_forms = false } = settings
  return {
    id,
    object: 'mailbox_authorization',
    inbox_id: inbox_id!,
    address: address!,
    created_at,
    ...credentials,
    // Of a password not even the last characters are shown.
    password: maskSecret(''),
    folder,
    sent_folder,
    marks_read,
    watches_sent,
    takes_forms,
  }
}

/**
 * Connects the mailbox of an inbox, after testing IMAP and SMTP.
 * @throws Refusal with what to do
 */
export async function connectMailbox(context: Context, caller: User, draft: MailboxDraft): Promise<{ id: string }> {
  assertSwitchedOn(context)
  const { inbox_id, address, since_days = 0, folder = 'INBOX' } = draft
  const { marks_read = false, watches_sent = true, takes_forms = false } = draft
  await getInbox(context.db, caller.account_id, inbox_id)
  const existing = await findMailbox(context, caller.account_id, inbox_id)
  const credentials = credentialsOf(draft, existing)
  const tried = await tryBoth(context, credentials, { folder, since_days })
  const isSame = existing?.address === address && existing.settings.folder === folder
  const { id } = await context.change(async (tx) => {
    const connected = await connectAuthorization(context, tx, caller, {
      integration: 'mailbox',
      inbox_id,
      label: address,
      address,
      way_in: 'live',
      settings: {
        folder,
        sent_folder: tried.sent_folder,
        marks_read,
        watches_sent,
        takes_forms,
        size_limit: tried.size_limit,
      } satisfies MailboxSettings,
      // Mails read before are not read again.
      ...(!(isSame && existing?.cursor) && { cursor: tried.cursor }),
      credentials,
    })
    await adoptWaiting(tx, caller.account_id, connected)
    return connected
  })
  await context.liveConnections.reconcile()
  wakeSender(context)
  return { id }
}

/** A password is only sent to the servers it was entered for. */
function credentialsOf(draft: MailboxDraft, existing: Mailbox | undefined): MailboxCredentials {
  const { imap_host, imap_port, imap_security, smtp_host, smtp_port, smtp_security } = draft
  const username = draft.username?.trim() || draft.address
  const servers = { imap_host, imap_port, imap_security, smtp_host, smtp_port, smtp_security }
  const isSame = existing?.credentials.imap_host === imap_host && existing.credentials.smtp_host === smtp_host
  const password = retainMasked(draft.password, isSame ? existing?.credentials.password : undefined)
  if (!password)
    throw new Invalid({ password: [existing ? 'must be entered again for another server' : "can't be blank"] })
  return { ...servers, username, password }
}

async function tryBoth(
  context: Context,
  credentials: MailboxCredentials,
  { folder, since_days }: { folder: string; since_days: number },
): Promise<{ sent_folder: string | null; cursor: MailboxCursor; size_limit: number | null }> {
  try {
    const client = await openImap(context, credentials)
    try {
      const sent_folder = sentFolderOf(await client.list())
      const cursor = await startOf(client, { folder, sent_folder, since_days })
      return { sent_folder, cursor, size_limit: await trySmtp(context, credentials) }
    } finally {
      client.close()
    }
  } catch (error) {
    const refusal = asRefusal(error)
    throw refusal instanceof Refusal ? new Refusal(422, refusal.message, 'not_connected') : refusal
  }
}

/** Signs in to the SMTP server without sending anything. Returns the size up to which it accepts mails. */
async function trySmtp(context: Context, credentials: MailboxCredentials): Promise<number | null> {
  const transport = await openSmtp(context, credentials)
  try {
    await transport.verify()
    return await askSizeLimit(await smtpOptions(context.outbound, credentials))
  } catch (error) {
    throw explain(error, credentials.smtp_host)
  } finally {
    transport.close()
  }
}

/** The names of its folders. */
export async function listFolders(context: Context, { credentials }: Mailbox): Promise<string[]> {
  const client = await openImap(context, credentials)
  try {
    return (await client.list()).filter(({ flags }) => !flags.has('\\Noselect')).map(({ path }) => path)
  } finally {
    client.close()
  }
}
