import type { Context } from '../../../context.ts'
import { acrossAccounts } from '../../../platform/db/of-account.ts'
import { handOutAll } from './handing-out.ts'
import { returnFromAbsent } from './returning.ts'

/** Returns what absent users hold, and hands out what was left behind by a server that was killed. */
export async function sweepTeams({ db, change }: Pick<Context, 'db' | 'change'>): Promise<void> {
  const rows = await acrossAccounts(db, 'looks after all accounts at once')
    .selectFrom('teams')
    .select('account_id')
    .distinct()
    .where((eb) => eb.or([eb('assignment', '<>', 'by_hand'), eb('return_after_minutes', 'is not', null)]))
    .execute()
  for (const { account_id } of rows) {
    await returnFromAbsent(change, account_id)
    await handOutAll(change, account_id)
  }
}
