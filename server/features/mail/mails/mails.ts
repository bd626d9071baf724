import { accessOf, type MailKind, type StoredMail } from '#contract/mail/mails.ts'
import type { Context } from '../../../context.ts'
import { NotFound, Refusal } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { type MailContent, renderHtml, renderText } from './mail-templates.ts'
import { FORGOTTEN, sendMail } from './send-mail.ts'

export interface RenderedLayout {
  subject: string
  text: string
  html: string
}

export interface NewMail {
  /** Derived from what the mail is about, so that writing it twice has no effect. */
  id: string
  kind: StoredMail['kind']
  recipient: string
  /** The content, or a finished layout. */
  content: MailContent | RenderedLayout
  from_name?: string | null
  reply_to?: string | null
  headers?: Record<string, string>
}

/**
 * Stores a mail in the transaction it belongs to; it is sent once that has committed. An existing mail is left alone.
 */
export async function writeMail(
  { jobs }: Pick<Context, 'jobs'>,
  { db }: Pick<Change, 'db'>,
  account_id: string,
  { id, kind, recipient, content, from_name, reply_to, headers = {} }: NewMail,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('mails')
    .values({
      account_id,
      id,
      kind,
      recipient,
      from_name,
      reply_to,
      subject: content.subject,
      text: 'parts' in content ? renderText(content) : content.text,
      html: 'parts' in content ? renderHtml(content) : content.html,
      headers: toJson(headers),
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'id']).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) await jobs.enqueue(db, sendMail, { account_id, mail_id: id })
}

const PAGE = 50

/** The newest mails of an account, for admins without a mail server, or who look for a mail. */
export function listMails(db: Db, account_id: string): Promise<StoredMail[]> {
  return selectMails(db, account_id).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(PAGE).execute()
}

/** One mail, with its content if this caller may read that. */
export async function getMail(
  { db, mailer }: Pick<Context, 'db' | 'mailer'>,
  caller: User,
  id: string,
): Promise<StoredMail & { text: string; html: string }> {
  const mail = await selectMails(db, caller.account_id).select(['text', 'html']).where('id', '=', id).executeTakeFirst()
  if (!mail) throw new NotFound()
  const isReadable = accessOf(mail.kind) === 'none' || (!mailer.isOn && mayReadAccess(caller, mail.kind))
  return { ...mail, ...(!isReadable && FORGOTTEN) }
}

/**
 * Whether a caller may see the link in a mail that gives access. Nobody may read one that proves who its recipient is:
 * whoever reads it sets their password, or confirms an address that is not theirs. Invitations are shown to admins, who
 * may invite anyway, but not to API keys, because even a read-only one could then join the team.
 */
function mayReadAccess(caller: User, kind: MailKind): boolean {
  return accessOf(kind) === 'invitation' && caller.role === 'admin' && !caller.api_key
}

function selectMails(db: Db, account_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'subject', 'created_at', 'sent_at', 'kept_at', 'failed_at', 'failure', 'tries'])
    .$castTo<StoredMail>()
}

/**
 * Sends a mail again.
 * @throws Refusal if there is no mail server, or it was sent already
 */
export async function retryMail({ jobs, mailer }: Context, { db }: Change, account_id: string, id: string) {
  needMailServer(mailer)
  const mail = await selectMails(db, account_id).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!mail) throw new NotFound()
  if (mail.sent_at) throw new Refusal(409, 'This mail was already sent.', 'already_sent')
  if (mail.kind === 'conversation') {
    throw new Refusal(
      409,
      'This mail is a reply in a conversation. Retry it there, below the message.',
      'sent_elsewhere',
    )
  }
  await ofAccount(db, account_id)
    .updateTable('mails')
    .set({ failed_at: null, kept_at: null })
    .where('id', '=', id)
    .execute()
  await jobs.enqueue(db, sendMail, { account_id, mail_id: id })
  return { ...mail, failed_at: null, kept_at: null }
}

/** @throws Refusal when there is no mail server */
export function needMailServer(mailer: Context['mailer']): void {
  if (!mailer.isOn) throw new Refusal(409, 'No mail server is set up. Set SMTP_URL and start again.', 'no_mail_server')
}

const KEPT_DAYS = 30
const PRUNE_BATCH = 1_000

/** Deletes old mails, because they contain personal data. */
export async function pruneMails(db: Db): Promise<void> {
  const before = new Date(Date.now() - KEPT_DAYS * 86_400_000).toISOString()
  for (;;) {
    const mails = acrossAccounts(db, 'looks after all accounts at once')
    const old = mails
      .selectFrom('mails as old')
      .select(['old.account_id', 'old.id'])
      .where('old.created_at', '<', before)
      .limit(PRUNE_BATCH)
      .$asTuple('account_id', 'id')
    const { numDeletedRows } = await mails
      .deleteFrom('mails')
      .where((eb) => eb(eb.refTuple('account_id', 'id'), 'in', old))
      .executeTakeFirst()
    if (Number(numDeletedRows) < PRUNE_BATCH) return
  }
}
