import { RETENTION_NOTICE_DAYS, retentionDays } from '#contract/accounts/plans.ts'
import type { Context } from '../../../context.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { mailAdmins } from '../../mail/mails/mail-admins.ts'
import { planInUse } from '../accounts/accounts.ts'
import { retentionMail } from './mail-templates.ts'

const DAY_MS = 86_400_000

/**
 * Days for which plans keep closed conversations at present, by account. Accounts that were not warned yet are left
 * out.
 */
export async function listPlanRetention({ db, config }: Context): Promise<Map<string, number>> {
  if (!config.billing) return new Map()
  const rows = await acrossAccounts(db, 'looks after all accounts at once')
    .selectFrom('plan_retention')
    .select(['account_id', 'days'])
    .where('days', 'is not', null)
    .execute()
  return new Map(rows.map(({ account_id, days }) => [account_id, days!]))
}

/**
 * Updates the retention of plans: a longer period applies at once, a shorter one two weeks after a warning by mail.
 * An account without conversations that would be destroyed by then is not warned, and nothing of it is destroyed.
 */
export async function updatePlanRetention(context: Context, now: Date): Promise<void> {
  if (!context.config.billing) return
  const accounts = await context.db
    .selectFrom('accounts')
    .leftJoin('plan_retention', (join) => join.onRef('plan_retention.account_id', '=', 'accounts.id'))
    .select(['id', 'subscription_plan', 'days', 'next_days', 'next_at'])
    .execute()
  for (const { id, subscription_plan, ...held } of accounts) {
    const wanted = retentionDays(planInUse(context.config, subscription_plan))
    if (wanted === held.days && !held.next_at) continue
    await context.change((tx) => update(context, tx, id, { wanted, ...held }, now))
  }
}

interface Retention {
  wanted: number | null
  days: number | null
  next_days: number | null
  next_at: string | null
}

async function update(
  context: Context,
  tx: Change,
  account_id: string,
  { wanted, days, next_days, next_at }: Retention,
  now: Date,
): Promise<void> {
  const isShorter = wanted !== null && wanted < (days ?? Number.POSITIVE_INFINITY)
  if (!isShorter) return save(tx, account_id, { days: wanted, next_days: null, next_at: null })
  if (next_days === wanted && next_at) {
    if (Date.parse(next_at) <= now.getTime()) {
      await save(tx, account_id, { days: wanted, next_days: null, next_at: null })
    }
    return
  }
  const from = new Date(now.getTime() + RETENTION_NOTICE_DAYS * DAY_MS)
  if (!(await hasOlder(tx.db, account_id, new Date(from.getTime() - wanted * DAY_MS)))) return
  await save(tx, account_id, { days, next_days: wanted, next_at: from.toISOString() })
  const href = `${context.config.baseUrl}/settings/billing`
  await mailAdmins(
    context,
    tx,
    account_id,
    { kind: 'billing', about: `retention ${wanted} ${from.toISOString()}` },
    (language) => retentionMail(language, { href, days: wanted, from: from.toISOString() }),
  )
}

async function save({ db }: Change, account_id: string, values: Omit<Retention, 'wanted'>): Promise<void> {
  await db
    .insertInto('plan_retention')
    .values({ account_id, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute()
}

/** Whether there are conversations that would be destroyed. */
async function hasOlder(db: Db, account_id: string, before: Date): Promise<boolean> {
  const row = await ofAccount(db, account_id)
    .selectFrom('conversations')
    .select('id')
    .where((own) => own.or([own('status', '=', 'closed'), own('archived_at', 'is not', null)]))
    .where('last_activity_at', '<', before.toISOString())
    .limit(1)
    .executeTakeFirst()
  return !!row
}
