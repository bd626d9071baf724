import * as z from 'zod/mini'
import { type Context, perServer } from '../../../context.ts'
import { claimRenewal, releaseRows } from '../../../platform/jobs/claims.ts'
import { Dispatcher } from '../../../platform/jobs/dispatcher.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { type Claimed, claimDeliveries, findNextDelivery } from './claim.ts'
import { send } from './send.ts'

/** Wakes a server for waiting deliveries. They have an order and times of their own, so the job itself ends at once. */
export const sendDeliveries = defineJob('deliveries.send', {
  schema: z.object({ account_id: z.string() }),
  run: async (context: Context) => wakeSender(context),
})

const AT_ONCE = 48
const AT_ONCE_PER_AUTHORIZATION = 6

/** Sends due deliveries. A slow system only delays its own. One per server. */
export const senderOf = perServer(
  (context) =>
    new Dispatcher<Claimed>(context.log, {
      name: 'deliveries',
      atOnce: AT_ONCE,
      batch: AT_ONCE_PER_AUTHORIZATION,
      claim: (limit, busy) => claimDeliveries(context.db, limit, busy),
      claims: claimRenewal(context.db, 'deliveries'),
      findNextDue: () => findNextDelivery(context.db),
      groups: {
        of: ({ authorization_id, account_id }) => ({
          group: authorization_id ?? account_id,
          atOnce: AT_ONCE_PER_AUTHORIZATION,
        }),
        release: (claimed) =>
          releaseRows(context.db, 'deliveries', claimed, ({ tries, was_unsure }) => ({
            taken_until: null,
            tries: tries - 1,
            is_unsure: was_unsure,
          })),
      },
      run: (claimed) => send(context, claimed),
    }),
)

/** Looks for due deliveries, unless integrations are switched off: then everything waits. */
export function wakeSender(context: Context): void {
  if (context.config.integrations) senderOf(context).wake()
}
