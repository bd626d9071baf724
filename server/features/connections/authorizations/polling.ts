import * as z from 'zod/mini'
import type { Context } from '../../../context.ts'
import { acrossAccounts } from '../../../platform/db/of-account.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { withLease } from '../../../platform/outbound/leases.ts'
import { isServed } from '../../accounts/accounts/suspension.ts'
import { loadConnected } from './authorizations.ts'
import { recordReceiving, recordReceivingFailure } from './receiving.ts'

export const pollOne = defineJob('authorizations.poll', {
  schema: z.object({ account_id: z.string(), authorization_id: z.string() }),
  // The next run comes a minute later.
  tries: 1,
  run: poll,
})

/** Enqueues a job for each polled connection. Runs each minute. */
export async function pollAll({ db, change, jobs, config, integrations }: Context): Promise<void> {
  if (!config.integrations) return
  const polled = [...integrations.values()].filter((integration) => integration.poll).map(({ name }) => name)
  if (polled.length === 0) return
  const due = await acrossAccounts(db, 'looks after all accounts at once')
    .selectFrom('authorizations')
    .select(['account_id', 'id'])
    .where('integration', 'in', polled)
    .where('state', '=', 'connected')
    .where('removed_at', 'is', null)
    .where(isServed('authorizations.account_id'))
    .where((eb) => eb.or([eb('paused_until', 'is', null), eb('paused_until', '<', new Date().toISOString())]))
    .execute()
  const payloads = due.map(({ account_id, id }) => ({ payload: { account_id, authorization_id: id } }))
  await change((tx) => jobs.enqueueAll(tx.db, pollOne, payloads))
}

async function poll(
  context: Context,
  { account_id, authorization_id }: { account_id: string; authorization_id: string },
): Promise<void> {
  const authorization = await loadConnected(context, account_id, authorization_id)
  const integration = authorization && context.integrations.get(authorization.integration)
  if (!authorization || !integration?.poll) return
  // The previous minute's poll may still be running.
  await withLease(context.db, `poll ${authorization_id}`, async () => {
    const asked_at = new Date()
    try {
      await integration.poll!(context, authorization)
      await context.change((tx) => recordReceiving(context, tx, authorization, asked_at))
    } catch (error) {
      context.log.info({ err: error, authorization_id }, 'A connection could not be polled')
      await recordReceivingFailure(context, authorization, error, true)
    }
  })
}
