import type { Context } from '../../../context.ts'
import type { Change } from '../../../platform/db/change.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { languageOf } from '../../accounts/users/user-settings.ts'
import { listUsers } from '../../accounts/users/users.ts'
import type { MailContent } from './mail-templates.ts'
import { type NewMail, writeMail } from './mails.ts'

/**
 * Mails every admin of an account, each in their own language. The id is derived from the subject matter, so a mail is
 * written once.
 */
export async function mailAdmins(
  context: Context,
  tx: Change,
  account_id: string,
  { kind, about }: { kind: NewMail['kind']; about: string },
  write: (language: string) => MailContent,
): Promise<void> {
  const users = await listUsers(tx.db, account_id)
  for (const { id, email } of users.filter(({ role, disabled_at }) => role === 'admin' && !disabled_at)) {
    await writeMail(context, tx, account_id, {
      id: deriveId(`${kind} ${account_id} ${id} ${about}`),
      kind,
      recipient: email,
      content: write(await languageOf(tx.db, account_id, id)),
    })
  }
}
