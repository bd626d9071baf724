import { type SqlBool, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Consumer, ReadEvent } from '../../../feature.ts'
import type { Change, Db, MakeChange } from '../../../platform/db/change.ts'
import { findTogether } from '../../../platform/db/load-together.ts'
import { withRequestId } from '../../../platform/request-id.ts'
import { type ConsumerFailure, startConsumerLoop } from './consumer-loop.ts'
import { renumberLog } from './event-log.ts'

export interface RunningConsumers {
  /** Wakes the consumers of these types: new events are read within a moment. */
  wake(types: ReadonlySet<string>): void
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
  await register(
    db,
    consumers.map(({ name }) => name),
  )
  const loops = consumers.map((consumer) => {
    const { name, of, restMs } = consumer
    const loop = startConsumerLoop({ name, log, batchMs, restMs }, async (signal) => {
      if (!(await findBehind(db, name))) return false
      // A request may have woken it, but a batch does not belong to a single request.
      return withRequestId(undefined, () =>
        readBatch(change, consumer, (tx, events) => within(signal, consumer.consume(context, tx, events))),
      )
    })
    return { of, ...loop }
  })
  return {
    wake(types) {
      for (const loop of loops) if (loop.of.some((type) => types.has(type))) loop.wake()
    },
    failing: () => loops.flatMap((loop) => loop.failure() ?? []),
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

/**
 * New consumers start after all transactions begun so far. The oldest open transaction would be too early: a long one,
 * even in another database of the same PostgreSQL, is older than events that were read long ago.
 */
async function register(db: Db, names: string[]): Promise<void> {
  await sql`
    insert into event_followers (name, xid)
    select unnest(${names}::text[]), pg_snapshot_xmax(pg_current_snapshot()) on conflict do nothing`.execute(db)
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
 * Handles the next batch, unless another node is doing so. Nothing is written before the consumer has decided: from
 * then on this transaction counts as open, and other consumers wait for it.
 * @returns whether there is more to read at once
 */
function readBatch(
  change: MakeChange,
  consumer: Consumer,
  consume: (tx: Change, events: ReadEvent[]) => Promise<void>,
): Promise<boolean> {
  const { name } = consumer
  return change(async (tx) => {
    // Sent together, and executed in this order: the position that is read cannot be moved by another node any more.
    const [isLocked, next] = await Promise.all([lockConsumer(tx, name), readNext(tx, consumer)])
    if (!isLocked || !next || BigInt(next.oldestOpen) <= BigInt(next.from.xid)) return false
    const { from, oldestOpen, rows } = next
    const events = rows.map(
      ({ account_id, event, request_id, created_at }) =>
        ({ account_id, event, request_id, created_at }) as unknown as ReadEvent,
    )
    if (events.length === 0) {
      // If another server has moved it meanwhile, it stays there.
      tx.pending(updatePosition(tx, name, from, { xid: oldestOpen, id: 0 }).execute())
      return false
    }
    await consume(tx, events)
    const isFull = rows.length === BATCH
    await movePosition(tx, name, from, isFull ? rows.at(-1)! : { xid: oldestOpen, id: 0 })
    return isFull
  })
}

interface Position {
  xid: string
  id: number
}

/** Test conversations are few, and have an index of their own. */
const NOT_IN_TEST = sql<SqlBool>`not exists (select from conversations test
  where test.account_id = events.account_id and test.source = 'sandbox' and test.id = coalesce(
    event ->> 'conversation_id', event -> 'message' ->> 'conversation_id', event -> 'conversation' ->> 'id')::uuid)`

interface LogRow extends Position {
  account_id: string
  event: unknown
  request_id: string | null
  created_at: string
}

interface Next {
  /** The consumer's position. */
  from: Position
  /** The oldest open transaction. */
  oldestOpen: string
  rows: LogRow[]
}

/** The next events of a consumer, older than all open transactions, so that none is skipped. */
async function readNext(
  { db }: Change,
  { name, of, concerns = sql`true`, readsTests }: Consumer,
): Promise<Next | undefined> {
  const { rows } = await sql<Omit<LogRow, 'xid'> & { xid: string | null; at: string; at_id: number; oldest: string }>`
    select follower.xid as at, follower.id as at_id, pg_snapshot_xmin(pg_current_snapshot())::text as oldest, next.*
    from event_followers follower left join lateral (
      select account_id, xid, id, event, request_id, created_at from events
      where (xid, id) > (follower.xid, follower.id) and xid < pg_snapshot_xmin(pg_current_snapshot())
        and event ->> 'type' = any(${of}) and (${concerns})
        and ${readsTests ? sql`true` : NOT_IN_TEST}
      order by xid, id limit ${BATCH}
    ) next on true
    where follower.name = ${name} order by next.xid, next.id`.execute(db)
  const [first] = rows
  if (!first) return undefined
  // Without events there is one row, of the position alone.
  const events = first.xid === null ? [] : (rows as LogRow[])
  return { from: { xid: first.at, id: first.at_id }, oldestOpen: first.oldest, rows: events }
}

/**
 * Locked until the transaction ends. An advisory lock, because a row lock would make this an open transaction at once.
 */
async function lockConsumer({ db }: Change, name: string): Promise<boolean> {
  const { rows } = await sql<{ is_locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('event consumer'), hashtext(${name})) as is_locked`.execute(db)
  return rows[0]!.is_locked
}

/** A server of an earlier version locks the row instead; whoever comes second fails here and reads again. */
async function movePosition(change: Change, name: string, from: Position, to: Position): Promise<void> {
  const { numUpdatedRows } = await updatePosition(change, name, from, to).executeTakeFirst()
  if (Number(numUpdatedRows) !== 1) throw new Error(`Another server has moved the consumer ${name}.`)
}

function updatePosition({ db }: Change, name: string, from: Position, to: Position) {
  return db
    .updateTable('event_followers')
    .set({ xid: to.xid, id: to.id })
    .where('name', '=', name)
    .where('xid', '=', from.xid)
    .where('id', '=', from.id)
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
