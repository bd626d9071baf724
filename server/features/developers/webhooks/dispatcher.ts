import { perServer } from '../../../context.ts'
import { releaseRows } from '../../../platform/jobs/claims.ts'
import { Dispatcher } from '../../../platform/jobs/dispatcher.ts'
import { type Claimed, claimDue, findNextDue } from './claim.ts'
import { attemptDelivery } from './deliver.ts'

/** Concurrent requests of one server, and to one address; a failing address gets one at a time. */
const AT_ONCE = 64
const AT_ONCE_PER_SUBSCRIPTION = 8
const AT_ONCE_TO_FAILING = 1

/**
 * Sends due deliveries. A slow or dead receiver only delays its own, because it gets few of the concurrent requests.
 * One per server.
 */
export const dispatcherOf = perServer(
  (context) =>
    new Dispatcher<Claimed>(context.log, {
      name: 'webhooks',
      atOnce: AT_ONCE,
      batch: AT_ONCE_PER_SUBSCRIPTION,
      claim: (limit, busy) => claimDue(context.db, { limit, busy }),
      findNextDue: () => findNextDue(context.db),
      groups: {
        of: ({ subscription_id, isFailing }) => ({
          group: subscription_id,
          atOnce: isFailing ? AT_ONCE_TO_FAILING : AT_ONCE_PER_SUBSCRIPTION,
        }),
        release: (claimed) => releaseRows(context.db, 'webhook_deliveries', claimed, () => ({ leased_until: null })),
      },
      run: (claimed) => attemptDelivery(context, claimed),
    }),
)
