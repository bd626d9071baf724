import { sql } from 'kysely'
import type { PushHealth } from '#contract/operations/health.ts'
import type { Context } from '../../../context.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { readPushSender } from './keys.ts'

/** Problems shown at most. */
const MAX_PROBLEMS = 5

/** Whether push notifications of an account arrive, and why not. */
export async function describePush({ db, config }: Context, account_id: string): Promise<PushHealth> {
  const sender = readPushSender(config)
  const { devices, last_success_at } = await ofAccount(db, account_id)
    .selectFrom('push_devices')
    .select((eb) => [
      eb.fn.countAll<number>().as('devices'),
      eb.fn.max<string | null>('last_success_at').as('last_success_at'),
    ])
    .executeTakeFirstOrThrow()
  const problems = await ofAccount(db, account_id)
    .selectFrom('push_devices')
    .select((eb) => ['problem', eb.fn.countAll<number>().as('devices'), sql<string>`max(problem_at)`.as('problem_at')])
    .where('problem', 'is not', null)
    .groupBy('problem')
    .orderBy('problem_at', 'desc')
    .limit(MAX_PROBLEMS)
    .$narrowType<{ problem: string }>()
    .execute()
  return {
    devices: Number(devices),
    last_success_at,
    sender_problem: 'problem' in sender ? sender.problem : null,
    problems: problems.map((row) => ({ ...row, devices: Number(row.devices) })),
  }
}
