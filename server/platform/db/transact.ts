import { type DatabaseConnection, DummyDriver, type Kysely, Transaction } from 'kysely'
import { dialectOf, PipeliningConnection } from './driver.ts'
import type { Database } from './schema.ts'

/**
 * Runs work in one transaction. Statements are sent in order without waiting for the answer to the one before, unlike
 * in Kysely's own transactions: statements issued together take one round trip.
 * @param work may call `commit` once it has issued its last statement: the commit then travels with it
 */
export function transact<Result>(
  kysely: Kysely<Database>,
  work: (db: Transaction<Database>, commit: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  return kysely.transaction().execute((serial) =>
    serial.getExecutor().provideConnection((connection) => {
      if (!(connection instanceof PipeliningConnection)) throw new Error('The dialect does not pipeline.')
      return work(pipelined(serial, connection), () => connection.commit())
    }),
  )
}

/**
 * Reads over one connection: statements issued together take one round trip and one write, instead of a connection and
 * a write each. For reads of a few cheap statements, because they are executed one after the other.
 */
export function readTogether<Result>(db: Kysely<Database>, work: (db: Kysely<Database>) => Promise<Result>) {
  if (db.isTransaction) return work(db)
  return db.getExecutor().provideConnection((connection) => work(pipelined(db, connection)))
}

/** For building queries inside the transaction, which has a connection already. */
const dialect = dialectOf(new DummyDriver())
const unused = { dialect, config: { dialect }, driver: dialect.createDriver() }

/** Queries over a connection that do not wait for each other. */
function pipelined(db: Kysely<Database>, connection: DatabaseConnection): Transaction<Database> {
  const executor = db.getExecutor().withConnectionProvider({ provideConnection: (consumer) => consumer(connection) })
  return new Transaction({ ...unused, executor })
}
