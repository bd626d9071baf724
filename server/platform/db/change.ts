import { isDeepStrictEqual } from 'node:util'
import type { Kysely, Transaction } from 'kysely'
import type * as z from 'zod/mini'
import { Invalid } from '../../errors.ts'
import { currentRequestId } from '../request-id.ts'
import { isStalePlan } from './prepared.ts'
import type { Database } from './schema.ts'
import { transact } from './transact.ts'

/** For reading. Writing needs the transaction of a change. */
export type Db = Kysely<Database>

/** An event type with the shape of its payload. */
export interface EventKind<Payload extends object> {
  type: string
  payload: z.ZodMiniType<Payload>
}

/** An event: its type and its payload. */
export interface Announced<Event extends { type: string } = { type: string }> {
  account_id: string
  event: Event
  /** Id of the request that caused it, as stored in the event log. */
  request_id?: string | null | undefined
}

/** An announced event with its number in the log. */
export interface Logged<Event extends { type: string } = { type: string }> extends Announced<Event> {
  log_id: number
}

/** An open transaction and the events it publishes once it has committed. */
export interface Change {
  db: Transaction<Database>
  /** Set if other work shares the transaction: the work must then not wait for anything (`NeedsOwnTransaction`). */
  isShared?: boolean
  /** Announces an event. If the transaction fails, it is discarded. */
  announce<Payload extends object>(account_id: string, event: EventKind<Payload>, payload: NoInfer<Payload>): void
  /**
   * Adds a statement that the work need not wait for, which saves a round trip: it is sent together with the commit.
   * If it fails, so does the transaction.
   */
  pending(statement: Promise<unknown>): void
}

/** Runs work in one transaction. May run it again, so the work must touch nothing but the database. */
export type MakeChange = <Result>(work: (change: Change) => Promise<Result>) => Promise<Result>

interface Consequences<Event extends { type: string }> {
  /**
   * Prepares the statement that appends to the event log in the same transaction, and returns what sends it: at once,
   * because the commit is sent behind it.
   */
  append(db: Transaction<Database>, announced: Announced<Event>[]): () => Promise<Logged<Event>[]>
  /** Publishes to the sockets after the commit. If it does not run, clients get the events from the log. */
  publish(logged: Logged<Event>[]): void
}

const ATTEMPTS = 4
/**
 * PostgreSQL's codes for deadlock, serialisation failure, and a row that another transaction just inserted or deleted:
 * run again, the same work succeeds or sees the new state of that row.
 */
const RETRYABLE = new Set(['40P01', '40001', '23505', '23503'])

/** Statements that nobody has waited for yet. */
export class Pending {
  #statements: Promise<unknown>[] = []

  add(statement: Promise<unknown>) {
    // Reported by `waitForAll`.
    statement.catch(() => undefined)
    this.#statements.push(statement)
  }

  /** Rejects with the first failure. */
  async waitForAll(): Promise<void> {
    await Promise.all(this.#statements)
  }
}

/** `Event` is the union of all declared events. */
export function createChange<Event extends { type: string }>(
  kysely: Db,
  { append, publish }: Consequences<Event>,
): MakeChange {
  return async (work) => {
    for (let attempt = 1; ; attempt++) {
      const announced: Announced<Event>[] = []
      const pending = new Pending()
      try {
        const { result, logged } = await transact(kysely, async (db, commit) => {
          const doing = work({
            db,
            pending: (statement) => pending.add(statement),
            announce: (account_id, { type }, payload) =>
              void announced.push({
                account_id,
                event: { type, ...payload } as unknown as Event,
                request_id: currentRequestId(),
              }),
          })
          // A failed statement makes the ones after it fail, so it is reported instead of them.
          const result = await doing.catch((error) => pending.waitForAll().then(() => Promise.reject(error)))
          const appendAll = announced.length > 0 ? append(db, announced) : async () => []
          const appending = appendAll()
          appending.catch(() => undefined)
          void commit()
          await pending.waitForAll()
          const logged = await appending
          return { result, logged }
        })
        if (logged.length > 0) publish(logged)
        return result
      } catch (error) {
        if (attempt === ATTEMPTS || !(error instanceof Error && 'code' in error)) throw error
        if (!RETRYABLE.has(String(error.code)) && !isStalePlan(error)) throw error
      }
    }
  }
}

/** Old and new values by field. */
export type FieldChanges = Record<string, { from: unknown; to: unknown }>

/** The fields of a row that the wanted values would change. Undefined values are ignored. */
export function fieldChanges<Row extends object>(row: Row, next: { [Field in keyof Row]?: unknown }): FieldChanges {
  const pairs = Object.entries(next).map(
    ([field, to]) => [field, { from: Reflect.get(row, field) ?? null, to }] as const,
  )
  return Object.fromEntries(pairs.filter(([, { from, to }]) => to !== undefined && !isDeepStrictEqual(from, to)))
}

/** Whether there is anything to change. */
export function hasChanges(changes: FieldChanges): boolean {
  return Object.keys(changes).length > 0
}

/** Whether an insert failed because a unique index already holds such a row. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '23505' &&
    (!constraint || ('constraint' in error && error.constraint === constraint))
  )
}

/** For `.catch` behind a write: turns the violation of a unique index into an error of that field. */
export function rethrowDuplicate(field: string) {
  return (error: unknown): never => {
    if (isDuplicate(error)) throw new Invalid({ [field]: ['has already been taken'] })
    throw error
  }
}
