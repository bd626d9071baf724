import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { type Context, perServer } from '../../../context.ts'
import { ConnectionRevoked, type InboundOutcome, PermanentFailure, RetryLater } from '../../../integration.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { claimRenewal, releaseRows } from '../../../platform/jobs/claims.ts'
import { Dispatcher } from '../../../platform/jobs/dispatcher.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { withinTime } from '../../../platform/within-time.ts'
import { WorkersBusy } from '../../../platform/workers/fair-queue.ts'
import { WorkerKilled, WorkersStopped } from '../../../platform/workers/worker-errors.ts'
import { removeFile } from '../../conversations/files/files.ts'
import { recordBroken, recordTraffic, sentenceOf } from '../authorizations/health.ts'
import { type Claimed, claimInbound, findNextInbound } from './claim.ts'

/** Wakes a server for received events. They have an order and times of their own, so the job itself ends at once. */
export const processInbound = defineJob('inbound.process', {
  schema: z.object({ account_id: z.string() }),
  run: async (context: Context) => inboundOf(context).wake(),
})

const AT_ONCE = 20
const AT_ONCE_PER_ACCOUNT = 8
/** Seconds before the second and later tries: six tries in all, within an hour. */
const WAITS = [5, 30, 120, 600, 2_400]
const TIMEOUT_MS = 240_000
const LATE = 'Not finished in time.'
/** When an event is claimed again for which no worker process was free. */
const BUSY_MS = 5_000
/** An event that ended its worker process this often would do so again and again. */
const KILLS_LIMIT = 2

/** Processes received events. One per server. */
export const inboundOf = perServer(
  (context) =>
    new Dispatcher<Claimed>(context.log, {
      name: 'inbound events',
      atOnce: AT_ONCE,
      batch: AT_ONCE_PER_ACCOUNT,
      claim: (limit, busy) => claimInbound(context.db, limit, busy),
      claims: claimRenewal(context.db, 'inbound_events'),
      findNextDue: () => findNextInbound(context.db),
      groups: {
        of: ({ account_id }) => ({ group: account_id, atOnce: AT_ONCE_PER_ACCOUNT }),
        inTurns: true,
        release: (claimed) =>
          releaseRows(context.db, 'inbound_events', claimed, ({ tries }) => ({ taken_until: null, tries: tries - 1 })),
      },
      run: (claimed) => processOne(context, claimed),
    }),
)

async function processOne(context: Context, claimed: Claimed): Promise<void> {
  try {
    // Each claim counts, even if the server died before it could store an outcome.
    if (claimed.tries > WAITS.length + 1)
      throw new PermanentFailure('Every server that began to read it stopped before it had finished.')
    const outcome = await withinTime(TIMEOUT_MS, receive(context, claimed), LATE)
    await context.change((tx) => recordOutcome(context, tx, claimed, outcome))
  } catch (error) {
    if (error instanceof WorkersStopped || error instanceof WorkersBusy) return release(context, claimed)
    context.log.warn(
      { err: error, inbound_event_id: claimed.id, tries: claimed.tries },
      'An incoming event could not be processed',
    )
    await context.change((tx) => recordFailure(context, tx, claimed, error))
  }
}

/** Returns an event that no worker process could read: nothing is wrong with it, so this is no try. */
function release({ db }: Context, claimed: Claimed): Promise<void> {
  const not_before = new Date(Date.now() + BUSY_MS).toISOString()
  return releaseRows(db, 'inbound_events', [claimed], ({ tries }) => ({
    taken_until: null,
    tries: tries - 1,
    not_before,
  }))
}

async function receive(context: Context, claimed: Claimed): Promise<InboundOutcome> {
  const { integration: name, file_key, payload, request_id: _, workers_killed: __, ...event } = claimed
  const integration = context.integrations.get(name)
  if (!integration?.receive) throw new PermanentFailure(`This server does not know the integration ${name}.`)
  const stream = file_key ? await context.files.get(file_key) : undefined
  if (file_key && !stream) throw new PermanentFailure('The stored mail is missing.')
  const bytes = stream && (await buffer(stream))
  return integration.receive(context, { ...event, integration: name, payload: payload ?? {}, bytes })
}

/** Processed events were stored elsewhere, so their contents are deleted. Ignored ones may still be wanted. */
async function recordOutcome(context: Context, tx: Change, claimed: Claimed, outcome: InboundOutcome): Promise<void> {
  const { account_id, authorization_id, file_key } = claimed
  const { state, reason = null, ...made } = { reason: undefined, ...outcome }
  const isDone = state === 'done'
  await row(tx, claimed)
    .set({
      state,
      reason,
      ...made,
      taken_until: null,
      failing_since: null,
      ...(isDone && { payload: null, file_key: null }),
    })
    .execute()
  if (isDone && file_key) await context.jobs.enqueue(tx.db, removeFile, { account_id, key: file_key })
  if (authorization_id) await recordTraffic(tx, { account_id, id: authorization_id }, 'in')
}

async function recordFailure(context: Context, tx: Change, claimed: Claimed, error: unknown): Promise<void> {
  const { account_id, authorization_id, tries } = claimed
  const workers_killed = claimed.workers_killed + (error instanceof WorkerKilled ? 1 : 0)
  const isFinal = error instanceof PermanentFailure || workers_killed >= KILLS_LIMIT
  const wait = isFinal ? undefined : WAITS[tries - 1]
  const reason =
    error instanceof WorkerKilled
      ? `${error.message} ${isFinal ? 'This happened twice, so it was set aside.' : 'It will be tried once more.'}`
      : sentenceOf(error, 'It could not be read. Try again, or contact the operator of this server.')
  if (error instanceof ConnectionRevoked && authorization_id) {
    await recordBroken(context, tx, { account_id, id: authorization_id }, reason)
  }
  const retryAt = error instanceof RetryLater ? error.at : undefined
  await row(tx, claimed)
    .set({
      taken_until: null,
      reason,
      workers_killed,
      failing_since: sql`coalesce(failing_since, clock_timestamp())`,
      ...(wait ? { not_before: (retryAt ?? new Date(Date.now() + wait * 1000)).toISOString() } : { state: 'failed' }),
    })
    .execute()
}

/** Matches this try only: if another one has begun since, its outcome counts. */
function row({ db }: Change, { account_id, id, tries }: Claimed) {
  return ofAccount(db, account_id)
    .updateTable('inbound_events')
    .where('id', '=', id)
    .where('tries', '=', tries)
    .where('state', '=', 'waiting')
}
