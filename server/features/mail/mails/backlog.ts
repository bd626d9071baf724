import { sql } from 'kysely'
import type { BacklogCount } from '#contract/operations/health.ts'
import { defineBacklog } from '../../../backlog.ts'
import { isOfAccount, secondsSince } from '../../../platform/db/counting.ts'

/**
 * Mails that wait for the mail server, or were refused by it. Mails of conversations are deliveries. Without a mail
 * server none is waiting: mails are kept for reading.
 */
export const mailsBacklog = defineBacklog('mails', async ({ countingDb, mailer }, account_id) => {
  const { rows } = await sql<BacklogCount>`
    select waiting, running, failed, oldest_seconds, oldest_seconds as overdue_seconds from (
      select count(*)::integer as waiting, (count(*) filter (where sending_until > clock_timestamp()))::integer as running,
        ${secondsSince(sql`created_at`)} as oldest_seconds
      from mails
      where sent_at is null and failed_at is null and kind <> 'conversation' and ${mailer.isOn} and ${isOfAccount(account_id)}
    ) unsent, (
      select count(*)::integer as failed from mails
      where failed_at is not null and kind <> 'conversation' and ${isOfAccount(account_id)}
    ) failed`.execute(countingDb)
  return rows[0]!
})
