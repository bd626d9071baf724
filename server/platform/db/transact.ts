import { type DatabaseConnection, type Kysely, PostgresDialect, Transaction } from 'kysely'
import type { Database } from './schema.ts'

/**
 * Runs work in one transaction. Its statements are sent as they are asked, in that order, and not each after the answer of
 * the one before, as Kysely's own transactions do: what is asked together takes one way to the database and back.
 */
export function transact<Result>(
  kysely: Kysely<Database>,
  work: (db: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return kysely
    .transaction()
    .execute((serial) =>
      serial.getExecutor().provideConnection((connection) => work(withoutWaiting(serial, connection))),
    )
}

/** What a transaction is made of besides what it asks; it is never used to make another one. */
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('A transaction has its connection.')) })
const unused = { dialect, config: { dialect }, driver: dialect.createDriver() }

function withoutWaiting(serial: Transaction<Database>, connection: DatabaseConnection): Transaction<Database> {
  const executor = serial
    .getExecutor()
    .withConnectionProvider({ provideConnection: (consumer) => consumer(connection) })
  return new Transaction({ ...unused, executor })
}
