import { isDeepStrictEqual } from 'node:util'
import type { Kysely, Transaction } from 'kysely'
import type * as z from 'zod/mini'
import { Invalid } from '../../errors.ts'
import { currentRequestId } from '../request-id.ts'
import type { Database } from './schema.ts'
import { isStalePlan } from './statements.ts'
import { transact } from './transact.ts'

/** For reading. Writing needs the transaction of a change. */
export type Db = Kysely<Database>

/** Names something that can happen, and the shape of what is told of it. */
export interface EventKind<Payload extends object> {
  type: string
  payload: z.ZodMiniType<Payload>
}

/** Something that happened: its type beside its payload. */
export interface Announced<Event extends { type: string } = { type: string }> {
  account_id: string
  event: Event
  /** The request that it follows from, as the log of events knows it. */
  request_id?: string | null | undefined
}

/** What was announced, with its number in the log. */
export interface Logged<Event extends { type: string } = { type: string }> extends Announced<Event> {
  log_id: number
}

/** An open transaction and what it will tell the others once it has committed. */
export interface Change {
  db: Transaction<Database>
  /** Set where other work shares the transaction: nothing is waited for then (`StepsAside`). */
  isShared?: boolean
  /** Notes that something happened. If the transaction fails, nobody is told of it. */
  announce<Payload extends object>(account_id: string, event: EventKind<Payload>, payload: NoInfer<Payload>): void
}

/** Runs work in one transaction. May run it again, so the work touches nothing but the database. */
export type MakeChange = <Result>(work: (change: Change) => Promise<Result>) => Promise<Result>

interface Consequences<Event extends { type: string }> {
  /**
   * Writes what must not be lost into the same transaction: the rows of the event log. It is the last that happens there, so
   * it may ask for the commit together with its statement (`LAST`).
   */
  append(db: Transaction<Database>, announced: Announced<Event>[]): Promise<Logged<Event>[]>
  /** Tells whoever listens now. Runs after the commit; where it does not, they learn it from the log. */
  publish(logged: Logged<Event>[]): void
}

const ATTEMPTS = 4
/**
 * PostgreSQL's codes for deadlock, serialisation failure, and a row that another transaction added or took away a moment
 * ago: run again, the same work succeeds, finds that row or misses it.
 */
const WORTH_REPEATING = new Set(['40P01', '40001', '23505', '23503'])

/** `Event` is the union of what the event kinds declare; what is announced with a kind is one of them. */
export function createChange<Event extends { type: string }>(
  kysely: Db,
  { append, publish }: Consequences<Event>,
): MakeChange {
  return async (work) => {
    for (let attempt = 1; ; attempt++) {
      const announced: Announced<Event>[] = []
      try {
        const { result, logged } = await transact(kysely, async (db) => {
          const result = await work({
            db,
            announce: (account_id, { type }, payload) =>
              void announced.push({
                account_id,
                event: { type, ...payload } as unknown as Event,
                request_id: currentRequestId(),
              }),
          })
          return { result, logged: announced.length > 0 ? await append(db, announced) : [] }
        })
        if (logged.length > 0) publish(logged)
        return result
      } catch (error) {
        if (attempt === ATTEMPTS || !(error instanceof Error && 'code' in error)) throw error
        if (!WORTH_REPEATING.has(String(error.code)) && !isStalePlan(error)) throw error
      }
    }
  }
}

/** What fields were, and what they become. */
export type FieldChanges = Record<string, { from: unknown; to: unknown }>

/** Which fields of a row the wanted values would change. Those left undefined are not wanted. */
export function fieldChanges<Row extends object>(row: Row, wanted: { [Field in keyof Row]?: unknown }): FieldChanges {
  const pairs = Object.entries(wanted).map(
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

/** For `.catch` behind a write: a value that must be unique and is not becomes that field's error. */
export function refuseTaken(field: string) {
  return (error: unknown): never => {
    if (isDuplicate(error)) throw new Invalid({ [field]: ['has already been taken'] })
    throw error
  }
}
