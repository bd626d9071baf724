import type { Selectable, Updateable } from 'kysely'
import type { KeptMail } from '#contract/mails.ts'
import { NotFound } from '../../errors.ts'
import type { Parley } from '../../parley.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import type { Database } from '../../platform/db/schema.ts'
import { MailRefused } from '../../platform/mail/mailer.ts'
import { type Letter, renderHtml, renderText } from './letters.ts'

/** With pauses that grow to an hour: a mail server may be away for a day. */
const TRIES = 32

export interface NewMail {
  /** Made by whoever writes, from what the mail is about: writing it twice leaves one. */
  id: string
  kind: KeptMail['kind']
  recipient: string
  letter: Letter
  from_name?: string | null
  reply_to?: string | null
  headers?: Record<string, string>
}

/**
 * Writes a mail in the transaction of what it tells of, to be sent once that has committed. A mail that was written
 * before is left alone.
 */
export async function writeMail(
  { jobs }: Pick<Parley, 'jobs'>,
  { db }: Pick<Change, 'db'>,
  account_id: string,
  { id, kind, recipient, letter, from_name, reply_to, headers = {} }: NewMail,
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
      subject: letter.subject,
      text: renderText(letter),
      html: renderHtml(letter),
      headers: JSON.stringify(headers),
    })
    .onConflict((taken) => taken.columns(['account_id', 'id']).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) await jobs.enqueue(db, 'mails.send', { account_id, mail_id: id }, { tries: TRIES })
}

/** Mails that open somebody's account. Where they are sent they are no admin's to read. */
const SECRET = new Set(['verification', 'password_reset'])
const FORGOTTEN = { text: '', html: '' }

/** Longer than a mail server may take, and shorter than a job that died waits for its next try. */
const LEASE_MS = 3 * 60_000

/**
 * Sends a mail that was written and not sent. Whoever sends takes a lease first, so two workers never send one mail, and
 * no transaction is open while the mail server thinks. When the process dies between the mail server's yes and our note
 * of it, the next try carries the same Message-ID.
 * @throws when the mail could not be handed over and should be tried again
 */
export async function sendMail(parley: Parley, account_id: string, mail_id: string): Promise<void> {
  const { db, mailer } = parley
  const mail = await takeMail(db, account_id, mail_id)
  if (!mail) return
  const outcome = await handOver(parley, mail).catch(async (error: unknown) => {
    await noteOutcome(db, mail, {})
    throw error
  })
  const isForgotten = mailer.isOn && 'sent_at' in outcome && SECRET.has(mail.kind)
  await noteOutcome(db, mail, { ...outcome, ...(isForgotten && FORGOTTEN) })
}

/** @throws when somebody else is sending it and may yet fail */
async function takeMail(
  db: Db,
  account_id: string,
  mail_id: string,
): Promise<Selectable<Database['mails']> | undefined> {
  const now = Date.now()
  const taken = await db
    .updateTable('mails')
    .set({ sending_until: new Date(now + LEASE_MS).toISOString() })
    .where('account_id', '=', account_id)
    .where('id', '=', mail_id)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where((eb) => eb.or([eb('sending_until', 'is', null), eb('sending_until', '<', new Date(now).toISOString())]))
    .returningAll()
    .executeTakeFirst()
  if (taken) return taken
  const mail = await db
    .selectFrom('mails')
    .select(['sent_at', 'failed_at'])
    .where('account_id', '=', account_id)
    .where('id', '=', mail_id)
    .executeTakeFirst()
  if (mail && !mail.sent_at && !mail.failed_at) throw new Error('This mail is being sent by another server.')
  return undefined
}

/** What is to be noted of a mail: sent, refused for good, or nothing where there is no mail server. */
async function handOver({ config, mailer }: Parley, mail: Selectable<Database['mails']>) {
  const { id, recipient, from_name, reply_to, subject, text, html } = mail
  const headers = mail.headers as Record<string, string>
  const message_id = `<${id}@${new URL(config.baseUrl).hostname}>`
  try {
    await mailer.send({ message_id, to: recipient, from_name, reply_to, subject, text, html, headers })
    return mailer.isOn ? { sent_at: new Date().toISOString() } : {}
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    return { failed_at: new Date().toISOString(), failure: error.message.slice(0, 500) }
  }
}

async function noteOutcome(
  db: Db,
  { account_id, id }: { account_id: string; id: string },
  outcome: Updateable<Database['mails']>,
): Promise<void> {
  await db
    .updateTable('mails')
    .set({ ...outcome, sending_until: null })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

const PAGE = 50

/** The newest mails of an account, for admins who have no mail server yet or wonder where a mail went. */
export function listMails(db: Db, account_id: string): Promise<KeptMail[]> {
  return selectMails(db, account_id).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(PAGE).execute()
}

/** One mail with what stands in it, unless it opens somebody's account and has a mail server to reach them by. */
export async function getMail(
  { db, mailer }: Pick<Parley, 'db' | 'mailer'>,
  account_id: string,
  id: string,
): Promise<KeptMail & { text: string; html: string }> {
  const mail = await selectMails(db, account_id).select(['text', 'html']).where('id', '=', id).executeTakeFirst()
  if (!mail) throw new NotFound()
  return { ...mail, ...(mailer.isOn && SECRET.has(mail.kind) && FORGOTTEN) }
}

function selectMails(db: Db, account_id: string) {
  return db
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'subject', 'created_at', 'sent_at', 'failed_at', 'failure'])
    .where('account_id', '=', account_id)
    .$castTo<KeptMail>()
}

const KEPT_DAYS = 30
const PRUNE_BATCH = 1_000

/** Forgets old mails: they hold words of people. */
export async function pruneMails(db: Db): Promise<void> {
  const before = new Date(Date.now() - KEPT_DAYS * 86_400_000).toISOString()
  for (;;) {
    const { numDeletedRows } = await db
      .deleteFrom('mails')
      .where((eb) =>
        eb(
          eb.refTuple('account_id', 'id'),
          'in',
          eb
            .selectFrom('mails as old')
            .select(['old.account_id', 'old.id'])
            .where('old.created_at', '<', before)
            .limit(PRUNE_BATCH)
            .$asTuple('account_id', 'id'),
        ),
      )
      .executeTakeFirst()
    if (Number(numDeletedRows) < PRUNE_BATCH) return
  }
}
