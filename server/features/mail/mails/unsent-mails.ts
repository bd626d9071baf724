import type { Context } from '../../../context.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { isServed } from '../../accounts/accounts/suspension.ts'
import { sendMail } from './send-mail.ts'

/** Mails written without a mail server are sent later if younger than this. For older ones admins are asked. */
const FRESH_MS = 86_400_000

/** Number of an account's mails that are kept because there was no mail server. */
export async function countUnsentMails(db: Db, account_id: string): Promise<number> {
  const { count } = await ofAccount(db, account_id)
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('kept_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Once there is a mail server: sends the kept mails of all accounts that are younger than a day. */
export async function sendFreshMails(context: Context, now: Date): Promise<void> {
  if (!context.mailer.isOn) return
  const since = new Date(now.getTime() - FRESH_MS).toISOString()
  const accounts = await acrossAccounts(context.db, 'looks after all accounts at once')
    .selectFrom('mails')
    .select('account_id')
    .distinct()
    .where('kept_at', 'is not', null)
    .where('created_at', '>', since)
    .where(isServed('mails.account_id'))
    .execute()
  for (const { account_id } of accounts) {
    await context.change((tx) => releaseMails(context, tx, account_id, since))
  }
}

/** Sends kept mails, those written since a time or all, and returns their number. */
export async function releaseMails(
  { jobs }: Pick<Context, 'jobs'>,
  { db }: Change,
  account_id: string,
  since = new Date(0).toISOString(),
): Promise<number> {
  const released = await ofAccount(db, account_id)
    .updateTable('mails')
    .set({ kept_at: null })
    .where('kept_at', 'is not', null)
    .where('created_at', '>', since)
    .returning('id')
    .execute()
  for (const { id } of released) await jobs.enqueue(db, sendMail, { account_id, mail_id: id })
  return released.length
}
