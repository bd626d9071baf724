import type { Context } from '../../../context.ts'
import { Refusal } from '../../../errors.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/**
 * Makes sure that somebody in an account has confirmed their address before mails with words of its people go to
 * addresses of their choice: whoever registers with an address of somebody else could otherwise send mails to anybody.
 * Without a mail server nobody can confirm an address, and nothing is sent.
 * @throws Refusal with the reason `unverified`
 */
export async function assertVerified({ mailer }: Pick<Context, 'mailer'>, db: Db, account_id: string): Promise<void> {
  if (!mailer.isOn) return
  const verified = await ofAccount(db, account_id)
    .selectFrom('users')
    .select('id')
    .where('email_verified_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (verified) return
  throw new Refusal(409, 'Confirm your e-mail address first: open the link that was mailed to you.', 'unverified')
}
