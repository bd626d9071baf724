import { type DatabaseConnection, type Kysely, PostgresDialect, Transaction } from 'kysely'
import type { Database } from './schema.ts'

/**
 * Runs work in one transaction. Statements are sent in order without waiting for the answer to the one before, unlike
 * in Kysely's own transactions: statements issued together take one round trip.
 */
export function transact<Result>(
  kysely: Kysely<Database>,
  work: (db: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return kysely
    .transaction()
    .execute((serial) => serial.getExecutor().provideConnection((connection) => work(pipelined(serial, connection))))
}

/** A dialect for building queries inside the transaction; it never opens a connection. */
const dialect = new PostgresDialect({
  pool: () => Promise.reject(new Error('A transaction must use its own connection.')),
})
const unused = { dialect, config: { dialect }, driver: dialect.createDriver() }

function pipelined(serial: Transaction<Database>, connection: DatabaseConnection): Transaction<Database> {
  const executor = serial
    .getExecutor()
    .withConnectionProvider({ provideConnection: (consumer) => consumer(connection) })
  return new Transaction({ ...unused, executor })
}
