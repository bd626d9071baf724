import { sql } from 'kysely'
import type { EventType } from '#contract/events.ts'
import type { Announced, Change, Db, MakeChange } from '../../platform/db/change.ts'
import type { Log } from '../../platform/log.ts'
import { readHorizon, renumberLog } from './event-log.ts'

/**
 * What must follow from events without anybody waiting for it. `follow` is told them in batches, each in the transaction
 * that moves on behind it: what it writes there is written once. What throws is tried again and holds up what comes
 * after for this follower, so it only decides and writes jobs; what can fail by itself is a job.
 */
export interface Follower {
  of: readonly EventType[]
  follow(open: Change, happened: Announced[]): Promise<void>
}

export type Followers = { [name: string]: Follower }

export interface Following {
  /** Something has happened: it is looked after within a moment. */
  wake(): void
  /** Begins no new batch and waits for the one that runs. */
  stop(): Promise<void>
}

const BATCH = 500
/** Long enough that a burst makes one batch, short enough that nobody notices. */
const REST_MS = 200
/** Finds what a node that died, or one that was overtaken, has left. */
const POLL_MS = 2_000

/** Follows the event log from where each follower stood, on whichever node comes first; a new one begins at its end. */
export async function startFollowing(
  { db, change, log }: { db: Db; change: MakeChange; log: Log },
  followers: Followers,
): Promise<Following> {
  await change(renumberLog)
  for (const name of Object.keys(followers)) await enrol(db, name)
  let isStopped = false
  let resting: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  async function work() {
    for (const [name, follower] of Object.entries(followers)) {
      try {
        while (!isStopped && (await isBehind(db, name)) && (await followBatch(change, name, follower)));
      } catch (error) {
        log.warn({ err: error, follower: name }, 'What follows from events has to wait')
      }
    }
  }
  function run() {
    running = running.then(work)
  }
  const poll = setInterval(run, POLL_MS)
  poll.unref()
  return {
    wake() {
      resting ??= setTimeout(() => {
        resting = undefined
        run()
      }, REST_MS)
      resting.unref()
    },
    async stop() {
      isStopped = true
      clearInterval(poll)
      clearTimeout(resting)
      await running
    },
  }
}

/**
 * A new follower begins after all that has begun. The horizon would be too early: one transaction that stays open, in
 * whichever database of the same server, holds it back behind what is long told.
 */
async function enrol(db: Db, name: string): Promise<void> {
  const { rows } = await sql<{ xid: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as xid`.execute(db)
  await db
    .insertInto('event_followers')
    .values({ name, xid: rows[0]!.xid })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether anything at all stands in the log behind a follower: asked often, so it locks nothing. */
async function isBehind(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from event_followers f where f.name = ${name}
    and exists (select 1 from events e where (e.xid, e.id) > (f.xid, f.id))`.execute(db)
  return rows.length > 0
}

/**
 * Takes the next batch, unless another node is at it. The horizon is that of the log: transactions that are still open
 * are left for later, so none is passed by.
 * @returns whether there is more to read at once
 */
function followBatch(change: MakeChange, name: string, { of, follow }: Follower): Promise<boolean> {
  return change(async (open) => {
    const { db } = open
    const at = await db
      .selectFrom('event_followers')
      .select(['xid', 'id'])
      .where('name', '=', name)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!at) return false
    const horizon = await readHorizon(db)
    if (BigInt(horizon) <= BigInt(at.xid)) return false
    const rows = await db
      .selectFrom('events')
      .select(['account_id', 'xid', 'id', 'event'])
      .where(sql<boolean>`(xid, id) > (${at.xid}::xid8, ${at.id})`)
      .where(sql<boolean>`xid < ${horizon}::xid8`)
      .where(sql<boolean>`event ->> 'type' = any(${of})`)
      .orderBy('xid')
      .orderBy('id')
      .limit(BATCH)
      .execute()
    const happened = rows.map(({ account_id, event }) => ({ account_id, event }) as unknown as Announced)
    if (happened.length > 0) await follow(open, happened)
    const isFull = rows.length === BATCH
    const { xid, id } = isFull ? rows.at(-1)! : { xid: horizon, id: 0 }
    await db.updateTable('event_followers').set({ xid, id }).where('name', '=', name).execute()
    return isFull
  })
}
