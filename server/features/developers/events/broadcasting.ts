import type { Event } from '#contract/events.ts'
import type { LoggedEvent } from '../../../feature.ts'
import type { Db, Logged } from '../../../platform/db/change.ts'
import type { Log } from '../../../platform/log.ts'
import type { Publisher, Realtime } from '../../../platform/realtime/realtime.ts'
import { topicKey } from '../../../platform/realtime/topic-key.ts'
import { repeat } from '../../../platform/repeating.ts'
import { audience } from './audience.ts'
import { type LogEntry, oldestOpenIn, readCommittedSince, readEntries } from './committed-since.ts'
import { cursorAt } from './event-log.ts'

/** How long the committing server may take to broadcast before this one does it for its own sockets. */
const CHECK_MS = 1_000
/** Maximum time for remembering events that were deleted from the log before being read there. */
const REMEMBERED_MS = 60_000
const BATCH = 500

export interface Broadcasting {
  /** Broadcasts what this server has just committed, to sockets on all servers. */
  broadcast(logged: Logged<Event>[]): void
  /** A cursor before which everything was sent to this server's sockets, once it is known. */
  cursor(): string | undefined
  /** Number of events this server broadcast because the committing one had not. */
  late(): number
  /** Waits for the check in progress. */
  stop(): Promise<void>
}

interface BroadcastDependencies {
  db: Db
  realtime: Pick<Realtime, 'accounts' | 'everywhere' | 'local' | 'onEvent'>
  log: Log
  /** Calls other listeners on this server. */
  apply(events: LoggedEvent[]): void
}

/**
 * Sends events to sockets. The committing server broadcasts at once; but it may die before, or never learn that its
 * commit succeeded, and a bus may lose messages. So every server reads committed events from the log, and sends those
 * it did not receive within a second to its own sockets. Events may arrive twice, but are never lost.
 * Must be started before the first socket is accepted, so that no event is missed in between.
 */
export async function startBroadcasting({ db, realtime, log, apply }: BroadcastDependencies): Promise<Broadcasting> {
  /** Broadcast here but not yet read from the log: when, by id. */
  const early = new Map<number, number>()
  /** Read from the log but not broadcast here by then. */
  let late: LogEntry[] = []
  let { snapshot } = await readCommittedSince(db, undefined)
  let cursor: string | undefined
  let lateCount = 0
  const record = (id: number) => void early.set(id, Date.now())
  realtime.onEvent(record)

  const isLate = ({ id }: LogEntry) => !early.delete(id)

  async function check() {
    late = late.filter(isLate)
    await catchUp()
    cursor = cursorAt(oldestOpenIn(snapshot))
    const since = await readCommittedSince(db, snapshot)
    snapshot = since.snapshot
    late = since.entries.filter(isLate)
    for (const [id, at] of early) {
      if (Date.now() - at < REMEMBERED_MS) break
      early.delete(id)
    }
  }

  async function catchUp() {
    const connected = realtime.accounts()
    late = late.filter(({ account_id }) => connected.has(account_id))
    while (late.length > 0) {
      const logged = await readEntries(db, late.slice(0, BATCH))
      log.debug({ events: logged.length }, 'Events were broadcast late, because the committing server had not done so')
      lateCount += logged.length
      apply(logged)
      for (const { account_id, event } of logged) sendOut(account_id, event, realtime.local)
      late = late.slice(BATCH)
    }
  }

  const checking = repeat(CHECK_MS, () =>
    check().catch((error) => log.warn({ err: error }, 'The event log could not be read')),
  )

  return {
    broadcast(logged) {
      for (const { account_id, event, log_id } of logged) {
        record(log_id)
        sendOut(account_id, event, realtime.everywhere(log_id))
      }
      apply(logged)
    },
    cursor: () => cursor,
    late: () => lateCount,
    stop: checking.stop,
  }
}

/** Sends an event to everybody who may receive it, and rechecks the access rights it changes. */
function sendOut(account_id: string, event: Event, to: Publisher) {
  const { team, customer, topics = [], access } = audience(event)
  const key = (topic: string) => topicKey(account_id, topic)
  if (team) to.broadcast(key(`notification:${account_id}`), team.event, team.payload)
  if (customer) to.broadcast(key(customer.topic), customer.sends.event, customer.sends.payload)
  for (const { topic, event, payload } of topics) to.broadcast(key(topic), event, payload)
  if (access) to.recheck({ account_id, customer_ids: access.customer_ids })
}
