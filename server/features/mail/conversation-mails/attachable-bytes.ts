import type { Context } from '../../../context.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { attachableBytes } from '../../../platform/mail/size-limit.ts'

/**
 * Bytes of files that fit into a mail of this account: all others are sent as links. The mail server that accepts least
 * decides, so that the number is the same before sending as later, over whatever connection the mail leaves.
 */
export async function readAttachableBytes(
  { db, mailer }: Pick<Context, 'db' | 'mailer'>,
  account_id: string,
): Promise<number> {
  const mailboxes = await ofAccount(db, account_id)
    .selectFrom('authorizations')
    .select('settings')
    .where('integration', '=', 'mailbox')
    .where('removed_at', 'is', null)
    .execute()
  const limits = mailboxes.map(({ settings }) => (settings as { size_limit?: number | null }).size_limit)
  return Math.min(...[mailer.sizeLimit(), ...limits].map(attachableBytes))
}
