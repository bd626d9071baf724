import type { Context } from '../../../context.ts'
import { BadRequest } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { newId } from '../../../platform/secrets.ts'
import { writeMail } from '../../mail/mails/mails.ts'
import { type Actor, recordAudit } from '../audit/audit.ts'
import { languageOf } from '../users/user-settings.ts'
import { twoFactorRemovedMail } from './mail-templates.ts'
import { readTwoFactor, removeTwoFactor } from './two-factor.ts'

/**
 * Removes the second factor of somebody who lost it: they sign in with their password alone until they set up another
 * one. They get a mail about it, because whoever knows their password could have asked for this.
 * @throws BadRequest if they have none
 */
export async function removeLostTwoFactor(
  context: Pick<Context, 'jobs'>,
  change: Change,
  actor: Actor,
  { user_id, email }: { user_id: number; email: string },
): Promise<void> {
  const { account_id } = actor
  const owner = { account_id, user_id }
  if (!(await readTwoFactor(change.db, owner)).is_on) throw new BadRequest('This user has no second factor.')
  await removeTwoFactor(change, owner)
  const audited = { action: 'two_factor.removed', subject_id: user_id, subject_name: email }
  await recordAudit(change, actor, audited)
  const content = twoFactorRemovedMail(await languageOf(change.db, account_id, user_id))
  await writeMail(context, change, account_id, { id: newId(), kind: 'two_factor_removed', recipient: email, content })
}
