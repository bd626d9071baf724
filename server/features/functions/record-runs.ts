import { type SqlBool, sql } from 'kysely'
import * as z from 'zod/mini'
import { WEBHOOK_EVENTS, type WebhookEvent } from '#contract/event-subscriptions.ts'
import type { Context } from '../../context.ts'
import { defineConsumer, type Happened } from '../../feature.ts'
import type { Change } from '../../platform/db/change.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { newId } from '../../platform/secrets.ts'
import { concerned, isDisabled, payloadOf } from '../event-subscriptions/event-body.ts'
import { runQueueOf } from './run-queue.ts'

/** Runs of one function that may wait. One that keeps making work for itself gets no further. */
const MOST_WAITING = 1_000

/** Tells a server that runs wait. They have an order and limits of their own, so the job ends at once. */
export const runFunctions = defineJob('functions.run', {
  schema: z.object({ account_id: z.string() }),
  run: async (context: Context) => runQueueOf(context).wake(),
})

export const recordFunctionRuns = defineConsumer('functions.recordRuns', {
  of: WEBHOOK_EVENTS,
  jobs: [runFunctions],
  consume: recordRuns,
})

/** Writes a run for each event and each active function that subscribes to it, in the order of the log. */
async function recordRuns({ jobs }: Context, { db }: Change, events: Happened<WebhookEvent>[]): Promise<void> {
  await forgetDeleted(db, events)
  const functions = await findActive(db, [...new Set(events.map(({ account_id }) => account_id))])
  if (functions.length === 0) return
  const rows = events.flatMap(({ account_id, event, request_id = null }) => {
    if (isDisabled(event) || isOwnTeams(event)) return []
    const { conversation_id, customer_id } = concerned(event)
    const message_id = 'message' in event ? event.message.id : undefined
    return functions
      .filter((one) => one.account_id === account_id && one.events.includes(event.type) && one.room-- > 0)
      .map(({ id }) => ({
        account_id,
        id: newId(),
        function_id: id,
        event: event.type,
        customer_id: customer_id ?? null,
        conversation_id: conversation_id ?? null,
        message_id: message_id ?? null,
        payload: JSON.stringify(payloadOf(event) ?? null),
        request_id,
      }))
  })
  if (rows.length === 0) return
  await db.insertInto('function_runs').values(rows).execute()
  const accounts = new Set(rows.map(({ account_id }) => account_id))
  const wakes = [...accounts].map((account_id) => ({ payload: { account_id } }))
  await jobs.enqueueAll(db, runFunctions, wakes)
}

/** Of new messages a function is given those of customers: its own answers are none, so it never answers itself. */
function isOwnTeams(event: Happened<WebhookEvent>['event']): boolean {
  return event.type === 'message:created' && !event.message.customer_id
}

/** Active functions, and how many more runs of each may wait. */
async function findActive(db: Change['db'], accounts: string[]) {
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
  return rows.map(({ waiting, ...one }) => ({ ...one, room: MOST_WAITING - Number(waiting) }))
}

/** What was said in a message that was deleted is given to no function any more, and stands in no log. */
async function forgetDeleted(db: Change['db'], events: Happened<WebhookEvent>[]): Promise<void> {
  for (const { account_id, event } of events) {
    if (event.type !== 'message:deleted') continue
    await db
      .deleteFrom('function_runs')
      .where('account_id', '=', account_id)
      .where(sql<SqlBool>`message_id = ${event.message_id}`)
      .execute()
  }
}
