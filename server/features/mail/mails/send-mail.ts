import type { Selectable, Updateable } from 'kysely'
import * as z from 'zod/mini'
import { accessOf, MailKind } from '#contract/mail/mails.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import type { Database } from '../../../platform/db/schema.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { MailRefused } from '../../../platform/mail/mailer.ts'
import { loopMark } from '../../../platform/mail/signed-marks.ts'
import { isSuspended } from '../../accounts/accounts/suspension.ts'

export const sendMail = defineJob('mails.send', {
  schema: z.object({ account_id: z.string(), mail_id: z.string() }),
  // With pauses that grow to an hour: a mail server may be down for a day.
  tries: 32,
  run: (context: Context, { account_id, mail_id }) => sendUnsentMail(context, account_id, mail_id),
})

/** Whether a mail's content is deleted after sending, because it gives access to somebody's account. */
export function isForgottenAfterSending({ kind }: { kind: string }): boolean {
  const parsed = MailKind.safeParse(kind)
  return !parsed.success || accessOf(parsed.data) !== 'none'
}

/** Replaces the content of such a mail. */
export const FORGOTTEN = { text: '', html: '' }

/** Longer than a mail server may take, and shorter than a dead job waits for its next try. */
const LEASE_MS = 3 * 60_000

/**
 * Sends a stored unsent mail. The sender takes a lease first, so that two workers never send the same mail, and no
 * transaction is open while the mail server works. If the process dies after the mail server accepted it and before
 * that is recorded, the next try has the same Message-ID.
 * @throws if it could not be sent and should be retried
 */
async function sendUnsentMail(context: Context, account_id: string, mail_id: string): Promise<void> {
  const { db, mailer } = context
  const mail = await claimMail(db, account_id, mail_id)
  if (!mail) return
  const outcome = await submitMail(context, mail).catch(async (error: unknown) => {
    const failure = error instanceof Error ? error.message.slice(0, 500) : 'The mail server could not be reached.'
    await recordOutcome(db, mail, { failure, tries: mail.tries + 1 })
    throw error
  })
  context.log.debug(
    { mail_id, kind: mail.kind, tries: mail.tries + 1, ok: !('failed_at' in outcome) },
    'A mail was passed to the mail server',
  )
  const isForgotten = mailer.isOn && 'sent_at' in outcome && isForgottenAfterSending(mail)
  await recordOutcome(db, mail, { ...outcome, ...(isForgotten && FORGOTTEN) })
}

/** @throws if somebody else is sending it and may still fail */
async function claimMail(
  db: Db,
  account_id: string,
  mail_id: string,
): Promise<Selectable<Database['mails']> | undefined> {
  const now = Date.now()
  const claimed = await ofAccount(db, account_id)
    .updateTable('mails')
    .set({ sending_until: new Date(now + LEASE_MS).toISOString() })
    .where('id', '=', mail_id)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where((eb) => eb.or([eb('sending_until', 'is', null), eb('sending_until', '<', new Date(now).toISOString())]))
    .returningAll()
    .executeTakeFirst()
  if (claimed) return claimed
  const mail = await ofAccount(db, account_id)
    .selectFrom('mails')
    .select(['sent_at', 'failed_at'])
    .where('id', '=', mail_id)
    .executeTakeFirst()
  if (mail && !mail.sent_at && !mail.failed_at) throw new Error('This mail is being sent by another server.')
  return undefined
}

/** The new state of a mail: sent, refused for good, or kept if there is no mail server or its company is suspended. */
async function submitMail({ config, db, mailer }: Context, mail: Selectable<Database['mails']>) {
  if (await isSuspended(db, mail.account_id)) return { kept_at: new Date().toISOString() }
  const { id, recipient, from_name, reply_to, subject, text, html } = mail
  const message_id = `<${id}@${new URL(config.baseUrl).hostname}>`
  // Recognises our mail if it comes back to us, which must go no further.
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

async function recordOutcome(
  db: Db,
  { account_id, id }: { account_id: string; id: string },
  outcome: Updateable<Database['mails']>,
): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('mails')
    .set({ ...outcome, sending_until: null })
    .where('id', '=', id)
    .execute()
}
