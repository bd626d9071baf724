import type { Account } from '#contract/accounts/accounts.ts'
import { chooseServerLanguage } from '../../../languages.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { acceptsAutomaticMail } from '../../customers/customers/complaints.ts'

/** Whether a customer takes mails that no person writes, in which language, and whether the account mails its replies. */
export async function readConsent(db: Db, account_id: string, customer_id: string) {
  const { settings, unsubscribed_at, complained_at, browser_language, has_session } = await ofAccount(db, account_id)
    .selectFrom('customers')
    .innerJoin('accounts', 'accounts.id', 'customers.account_id')
    .select(['accounts.settings', 'customers.unsubscribed_at', 'customers.complained_at', 'customers.browser_language'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('visitor_sessions')
          .select('visitor_sessions.id')
          .whereRef('visitor_sessions.account_id', '=', 'customers.account_id')
          .whereRef('visitor_sessions.customer_id', '=', 'customers.id'),
      ).as('has_session'),
    )
    .where('customers.id', '=', customer_id)
    .executeTakeFirstOrThrow()
  const { disable_automated_reply_emails } = settings as Account['settings']
  return {
    hasSession: has_session === true,
    acceptsMail: !unsubscribed_at && acceptsAutomaticMail({ complained_at }),
    mailsReplies: !disable_automated_reply_emails,
    language: chooseServerLanguage([browser_language]),
  }
}
