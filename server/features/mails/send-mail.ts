import type { Selectable, Updateable } from 'kysely'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { Db } from '../../platform/db/change.ts'
import type { Database } from '../../platform/db/schema.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { MailRefused } from '../../platform/mail/mailer.ts'
import { loopMark } from '../../platform/mail/signed-marks.ts'

export const sendMail = defineJob('mails.send', {
  schema: z.object({ account_id: z.string(), mail_id: z.string() }),
  // With pauses that grow to an hour: a mail server may be away for a day.
  tries: 32,
  run: (context: Context, { account_id, mail_id }) => sendKeptMail(context, account_id, mail_id),
})

/** Mails that open somebody's account. Where they are sent they are no admin's to read. */
const SECRET = new Set(['verification', 'password_reset'])

/** Whether nobody may read a mail that has been sent. */
export function isForgottenAfterSending({ kind }: { kind: string }): boolean {
  return SECRET.has(kind)
}

/** What replaces the content of such a mail. */
export const FORGOTTEN = { text: '', html: '' }

/** Longer than a mail server may take, and shorter than a job that died waits for its next try. */
const LEASE_MS = 3 * 60_000

/**
 * Sends a mail that was written and not sent. Whoever sends takes a lease first, so two workers never send one mail, and
 * no transaction is open while the mail server thinks. When the process dies between the mail server's yes and our note
 * of it, the next try carries the same Message-ID.
 * @throws when the mail could not be handed over and should be tried again
 */
async function sendKeptMail(context: Context, account_id: string, mail_id: string): Promise<void> {
  const { db, mailer } = context
  const mail = await takeMail(db, account_id, mail_id)
  if (!mail) return
  const outcome = await handOver(context, mail).catch(async (error: unknown) => {
    const failure = error instanceof Error ? error.message.slice(0, 500) : 'The mail server could not be reached.'
    await noteOutcome(db, mail, { failure, tries: mail.tries + 1 })
    throw error
  })
  context.log.debug(
    { mail_id, kind: mail.kind, tries: mail.tries + 1, ok: !('failed_at' in outcome) },
    'A mail was handed over',
  )
  const isForgotten = mailer.isOn && 'sent_at' in outcome && isForgottenAfterSending(mail)
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

/** What is to be noted of a mail: sent, refused for good, or kept where there is no mail server. */
async function handOver({ config, mailer }: Context, mail: Selectable<Database['mails']>) {
  const { id, recipient, from_name, reply_to, subject, text, html } = mail
  const message_id = `<${id}@${new URL(config.baseUrl).hostname}>`
  // What comes back to us by some way is known by this, and goes no further.
  const headers = {
    ...(mail.headers as Record<string, string>),
    'X-Parley-Loop': loopMark(config.secretKey!, message_id),
  }
  try {
    await mailer.send({ message_id, to: recipient, from_name, reply_to, subject, text, html, headers })
    const now = new Date().toISOString()
    return mailer.isOn ? { sent_at: now, failure: null, tries: mail.tries + 1 } : { kept_at: now }
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    return { failed_at: new Date().toISOString(), failure: error.message.slice(0, 500), tries: mail.tries + 1 }
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
