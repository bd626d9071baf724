import { type SqlBool, sql } from 'kysely'
import * as z from 'zod/mini'
import { WEBHOOK_EVENTS, type WebhookEvent } from '#contract/developers/webhooks.ts'
import type { Context } from '../../../context.ts'
import { defineConsumer, type LoggedEvent } from '../../../feature.ts'
import { depthAfter, MAX_CHAIN_LENGTH, readLink } from '../../../platform/automation-chain.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { newId } from '../../../platform/secrets.ts'
import { isDisabled, payloadOf, subjectsOf } from '../webhooks/event-body.ts'
import { notifyOfRuns } from './channels.ts'
import { MAX_WAITING, recordLeftOut } from './left-out.ts'
import { runQueueOf } from './run-queue.ts'

/**
 * Wakes a server, and admins viewing the function, for waiting runs. They have an order and limits of their own, so the
 * job itself ends at once.
 */
export const runFunctions = defineJob('functions.run', {
  // Jobs of the previous version name no function.
  schema: z.object({ account_id: z.string(), function_id: z._default(z.string(), '') }),
  run: async (context: Context, { account_id, function_id }) => {
    runQueueOf(context).wake()
    await notifyOfRuns(context, account_id, function_id)
  },
})

export const recordFunctionRuns = defineConsumer('functions.recordRuns', {
  of: WEBHOOK_EVENTS,
  concerns: sql`exists (select from functions f where f.account_id = events.account_id)`,
  readsTests: true,
  jobs: [runFunctions],
  consume: recordRuns,
})

/** Stores a run for each event and each active function that subscribes to it, in the order of the log. */
async function recordRuns({ jobs, log }: Context, tx: Change, events: LoggedEvent<WebhookEvent>[]): Promise<void> {
  const { db } = tx
  await deleteRunsOfDeleted(db, events)
  const functions = await findActive(db, [...new Set(events.map(({ account_id }) => account_id))])
  if (functions.length === 0) return
  const rows = events.flatMap((happened) => {
    const { account_id, event, request_id = null } = happened
    if (isDisabled(event) || isOwnTeams(event)) return []
    const { conversation_id, customer_id } = subjectsOf(event)
    const message_id = 'message' in event ? event.message.id : undefined
    return functions
      .filter((candidate) => isMeantFor(candidate, happened) && hasRoom(candidate, event))
      .map(({ id }) => ({
        account_id,
        id: newId(),
        function_id: id,
        event: event.type,
        customer_id: customer_id ?? null,
        conversation_id: conversation_id ?? null,
        message_id: message_id ?? null,
        payload: toJson(payloadOf(event) ?? null),
        request_id,
        depth: depthAfter(request_id),
      }))
  })
  for (const { account_id, id, left_out } of functions) {
    if (!left_out) continue
    log.warn(
      { account_id, function_id: id, ...left_out },
      'Events were skipped for a function, because too many runs are waiting',
    )
    await recordLeftOut(tx, { account_id, function_id: id, ...left_out })
  }
  if (rows.length > 0) await db.insertInto('function_runs').values(rows).execute()
  const changed = [
    ...rows.map(({ account_id, function_id }) => ({ account_id, function_id })),
    ...functions.filter(({ left_out }) => left_out).map(({ account_id, id }) => ({ account_id, function_id: id })),
  ]
  if (changed.length === 0) return
  const notifications = new Map(changed.map((payload) => [payload.function_id, { payload }]))
  await jobs.enqueueAll(db, runFunctions, [...notifications.values()])
}

/** An active function while a batch of events is distributed. */
interface Candidate {
  account_id: string
  id: string
  events: string[]
  /** How many more runs may wait. */
  room: number
  /** Number of events skipped because too many runs wait, with the first event's name. */
  left_out?: { event: string; count: number }
}

/**
 * Whether a function runs for an event: it subscribes to it, and did not cause it. A chain of functions that trigger
 * each other ends after a few runs.
 */
function isMeantFor({ account_id, id, events }: Candidate, happened: LoggedEvent<WebhookEvent>): boolean {
  if (happened.account_id !== account_id || !events.includes(happened.event.type)) return false
  const cause = readLink(happened.request_id ?? null)
  return !cause || (cause.cause_id !== id && cause.depth + 1 < MAX_CHAIN_LENGTH)
}

/** Takes a place in a function's queue, or counts the event as skipped. */
function hasRoom(candidate: Candidate, { type }: LoggedEvent<WebhookEvent>['event']): boolean {
  if (candidate.room-- > 0) return true
  candidate.left_out ??= { event: type, count: 0 }
  candidate.left_out.count++
  return false
}

/** Of new messages, functions get only those of customers, so a function never replies to itself. */
function isOwnTeams(event: LoggedEvent<WebhookEvent>['event']): boolean {
  return event.type === 'message:created' && !event.message.customer_id
}

/** Active functions, and how many more runs of each may wait. */
async function findActive(db: Change['db'], accounts: string[]): Promise<Candidate[]> {
  const rows = await db
    .selectFrom('functions as f')
    .select(['f.account_id', 'f.id', 'f.events'])
    .select(({ selectFrom, fn }) =>
      selectFrom('function_runs as r')
        .select(fn.countAll<number>().as('count'))
        .whereRef('r.account_id', '=', 'f.account_id')
        .whereRef('r.function_id', '=', 'f.id')
        .where('r.state', '=', 'queued')
        .as('waiting'),
    )
    .where('f.account_id', 'in', accounts)
    .where('f.status', '=', 'active')
    .where('f.deployed_code', 'is not', null)
    .execute()
  return rows.map(({ waiting, ...candidate }) => ({ ...candidate, room: MAX_WAITING - Number(waiting) }))
}

/** The text of a deleted message is no longer passed to functions, and is removed from the log. */
async function deleteRunsOfDeleted(db: Change['db'], events: LoggedEvent<WebhookEvent>[]): Promise<void> {
  for (const { account_id, event } of events) {
    if (event.type !== 'message:deleted') continue
    await ofAccount(db, account_id)
      .deleteFrom('function_runs')
      .where(sql<SqlBool>`message_id = ${event.message_id}`)
      .execute()
  }
}
