import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Consumer, LoggedEvent } from '../../feature.ts'
import type { Change, Db, MakeChange } from '../../platform/db/change.ts'
import { findTogether } from '../../platform/db/load-together.ts'
import { withRequestId } from '../../platform/request-id.ts'
import { type ConsumerFailure, startConsumerLoop } from './consumer-loop.ts'
import { readOldestOpenTransaction, renumberLog } from './event-log.ts'

export interface RunningConsumers {
  /** Wakes the consumers: new events are read at once. */
  wake(): void
  /** Consumers that currently fail on this server. */
  failing(): ConsumerFailure[]
  /** Starts no new batches and waits for running ones. */
  stop(): Promise<void>
}

const BATCH = 500
/** A batch that takes longer is rolled back: its transaction would delay all ordered readers of the log. */
const BATCH_MS = 30_000

/**
 * Reads the event log for each consumer from its position, in a loop of its own, so that a slow one delays no other.
 * Each runs on one node at a time, whichever comes first. A new consumer starts at the end of the log.
 */
export async function startConsumers(
  context: Context,
  consumers: Consumer[],
  { batchMs = BATCH_MS } = {},
): Promise<RunningConsumers> {
  const { db, change, log } = context
  await change(renumberLog)
  for (const { name } of consumers) await register(db, name)
  const loops = consumers.map((consumer) => {
    const { name, restMs } = consumer
    return startConsumerLoop({ name, log, batchMs, restMs }, async (signal) => {
      if (!(await findBehind(db, name))) return false
      // A request may have woken it, but a batch does not belong to a single request.
      return withRequestId(undefined, () =>
        readBatch(change, consumer, (open, events) => within(signal, consumer.consume(context, open, events))),
      )
    })
  })
  return {
    wake() {
      for (const loop of loops) loop.wake()
    },
    failing: () => loops.flatMap((loop) => loop.failure() ?? []),
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

/**
 * A new consumer starts after all transactions begun so far. The oldest open transaction would be too early: a long
 * one, even in another database of the same PostgreSQL, is older than events that were read long ago.
 */
async function register(db: Db, name: string): Promise<void> {
  const { rows } = await sql<{ xid: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as xid`.execute(db)
  await db
    .insertInto('event_followers')
    .values({ name, xid: rows[0]!.xid })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * A consumer by name, if the log has events after its position. Called often, so it locks nothing. All loops query at
 * the same time, which takes one statement and one connection.
 */
const findBehind = findTogether(
  async (db, names: string[]) => {
    const { rows } = await sql<{ name: string }>`
      select f.name from event_followers f where f.name = any(${names})
      and exists (select 1 from events e where (e.xid, e.id) > (f.xid, f.id))`.execute(db)
    return rows
  },
  ({ name }) => name,
)

/**
 * Handles the next batch, unless another node is doing so. Open transactions are left for later, so none is skipped.
 * Nothing is written before the consumer has decided: from then on this transaction counts as open, and other consumers
 * wait for it.
 * @returns whether there is more to read at once
 */
function readBatch(
  change: MakeChange,
  { name, of }: Consumer,
  consume: (open: Change, events: LoggedEvent[]) => Promise<void>,
): Promise<boolean> {
  return change(async (open) => {
    const { db } = open
    if (!(await lockConsumer(open, name))) return false
    const at = await db.selectFrom('event_followers').select(['xid', 'id']).where('name', '=', name).executeTakeFirst()
    if (!at) return false
    const oldestOpen = await readOldestOpenTransaction(db)
    if (BigInt(oldestOpen) <= BigInt(at.xid)) return false
    const rows = await db
      .selectFrom('events')
      .select(['account_id', 'xid', 'id', 'event', 'request_id'])
      .where(sql<boolean>`(xid, id) > (${at.xid}::xid8, ${at.id})`)
      .where(sql<boolean>`xid < ${oldestOpen}::xid8`)
      .where(sql<boolean>`event ->> 'type' = any(${of})`)
      .orderBy('xid')
      .orderBy('id')
      .limit(BATCH)
      .execute()
    const events = rows.map(
      ({ account_id, event, request_id }) => ({ account_id, event, request_id }) as unknown as LoggedEvent,
    )
    if (events.length > 0) await consume(open, events)
    const isFull = rows.length === BATCH
    await movePosition(open, name, at, isFull ? rows.at(-1)! : { xid: oldestOpen, id: 0 })
    return isFull
  })
}

/**
 * Locked until the transaction ends. An advisory lock, because a row lock would make this an open transaction at once.
 */
async function lockConsumer({ db }: Change, name: string): Promise<boolean> {
  const { rows } = await sql<{ is_locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('event consumer'), hashtext(${name})) as is_locked`.execute(db)
  return rows[0]!.is_locked
}

interface Position {
  xid: string
  id: number
}

/** A server of an earlier version locks the row instead; whoever comes second fails here and reads again. */
async function movePosition({ db }: Change, name: string, from: Position, to: Position): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('event_followers')
    .set({ xid: to.xid, id: to.id })
    .where('name', '=', name)
    .where('xid', '=', from.xid)
    .where('id', '=', from.id)
    .executeTakeFirst()
  if (Number(numUpdatedRows) !== 1) throw new Error(`Another server has moved the consumer ${name}.`)
}

/** Fails as soon as the signal aborts. Later statements of the work in the transaction fail, too. */
async function within(signal: AbortSignal, work: Promise<void>): Promise<void> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
    aborted.promise.catch(() => undefined)
    work.catch(() => undefined)
  }
}
